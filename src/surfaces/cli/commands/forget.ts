/** `oncebitten forget`: shows what would go, asks, and removes it for good. */
import { UserError } from '../../../base/errors.ts';
import { type ForgetReport, type ForgetWish, makeIsForgotten } from '../../../base/forgotten.ts';
import { dropEvidence } from '../../../distill/lesson/drop-evidence.ts';
import { listBackupFiles } from '../../backup-files.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { countSpooledFacts, forgetData } from '../../daemon/forget-data.ts';
import { withoutDaemon } from '../../daemon/without-daemon.ts';
import { changeSwitches } from '../change-switches.ts';
import type { CommandInput, Handler } from '../command.ts';
import { findProjects } from '../find-projects.ts';
import { readHome, withHome } from '../open-home.ts';
import { renderForgotten, renderHolding, renderPreview } from '../render-forget.ts';

export const run: Handler = async (input) => {
  const { wish, name } = await toWish(input);
  const preview = await look(input, wish);
  if (isNothing(preview) && wish.kind !== 'all') throw unknown(name);
  if (input.options.dryRun === true) return toResult(preview, name, renderPreview(preview, name));
  if (!(await isConfirmed(input, preview, name)))
    return { json: { forgotten: false }, text: 'Nothing was removed.', failed: true };
  input.progress('Removing …');
  const { done, trouble } = await withoutDaemon(input.home, () =>
    withHome(input, (open) => forgetData({ ...open, home: input.home }, wish, new Date().toISOString())),
  );
  forgetFolderNames(input, wish);
  const note = trouble === undefined ? '' : `\nThe daemon did not start again: ${trouble}`;
  // They are the person's own, perhaps the only copy of something else: they are named, not removed.
  const backups = listBackupFiles(input.home).map(({ file }) => file);
  const text = [renderForgotten(done, wish, name), ...renderHolding(backups)].join('\n') + note;
  const { json } = toResult({ ...done, facts: preview.facts }, name, text, true);
  return { json: { ...json, backups }, text };
};

type Preview = ForgetReport & { readonly facts: number; readonly shared: boolean };

/** What is on its way is brought in first, so that the counts are right. */
async function look(input: CommandInput, wish: ForgetWish): Promise<Preview> {
  await askDaemon(input.home, 'flush');
  const at = new Date().toISOString();
  return readHome(input, async ({ store, settings }) => {
    const report = await store.forget(wish, { at, dryRun: true, dropEvidence });
    const ids = wish.kind === 'project' ? wish.ids : [wish.kind === 'session' ? wish.id : ''];
    const facts = countSpooledFacts(
      input.home.spoolDir,
      makeIsForgotten(ids.map((id) => ({ kind: wish.kind, id, at }))),
    );
    return { ...report, facts, shared: settings.store.url !== '' && wish.kind === 'all' };
  });
}

async function toWish(input: CommandInput): Promise<{ wish: ForgetWish; name: string }> {
  const { project, session, all } = input.options as { project?: string | true; session?: string; all?: true };
  if ([project, session, all].filter((one) => one !== undefined).length !== 1) {
    throw new UserError({
      subject: 'forget',
      reason: 'needs exactly one of --project, --session and --all',
      next: 'see what would go: oncebitten forget --project . --dry-run',
    });
  }
  if (session !== undefined) return { wish: { kind: 'session', id: session }, name: `session ${session}` };
  if (project === undefined) return { wish: { kind: 'all' }, name: 'everything' };
  const { ids, name } = await readHome(input, ({ store }) => findProjects(store, project, input.cwd));
  return { wish: { kind: 'project', ids }, name: `project ${name}` };
}

async function isConfirmed(input: CommandInput, preview: Preview, name: string): Promise<boolean> {
  if (input.options.yes === true) return true;
  if (input.ask !== undefined) {
    const answer = await input.ask(`${renderPreview(preview, name)}\nThis cannot be undone. Type yes to remove it: `);
    return answer.trim().toLowerCase() === 'yes';
  }
  throw new UserError({
    subject: 'forget',
    reason: 'removes things for good and there is nobody to ask',
    next: 'see what would go with --dry-run, then add --yes',
  });
}

/** A pause of that project goes on, by its id; its folder is text. */
function forgetFolderNames({ home }: CommandInput, wish: ForgetWish): void {
  if (wish.kind !== 'project') return;
  changeSwitches(home, (switches) => ({
    ...switches,
    pauses: switches.pauses.map(({ dir, ...pause }) =>
      dir === undefined || !wish.ids.includes(pause.id ?? '')
        ? { ...pause, ...(dir === undefined ? {} : { dir }) }
        : pause,
    ),
  }));
}

function toResult(report: ForgetReport & { facts: number }, name: string, text: string, forgotten = false) {
  const { sessionKeys: _, projectIds: __, ...removed } = report;
  return { json: { forgotten, what: name, removed }, text };
}

function isNothing({ projects, sessions, calls, deliveries, episodes, lessons, facts }: Preview): boolean {
  return projects + sessions + calls + deliveries + episodes + lessons + facts === 0;
}

function unknown(name: string): UserError {
  return new UserError({
    subject: name,
    reason: 'is not known: there is nothing to remove',
    next: 'see sessions and projects: oncebitten failures --each --json',
  });
}
