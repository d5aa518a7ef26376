/** `oncebitten lessons starter`: the lessons that we bring. */

import { makeId } from '../../../../base/ids.ts';
import { renderConditions } from '../../../../base/triggers/render-triggers.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import {
  installStarter,
  readStarter,
  removeStarter,
  renderBacktest,
  type StarterState,
} from '../../../install/starter-pack.ts';
import type { CommandInput, CommandResult, Handler } from '../../command.ts';
import { usageError } from '../../errors.ts';
import { type OpenHome, withHome } from '../../open-home.ts';
import { toWholePage } from '../../paging.ts';
import { readUserName } from '../change-lessons.ts';

export const run: Handler = (input) => {
  const wishes = ['list', 'install', 'remove'].filter((wish) => input.options[wish] === true);
  if (wishes.length > 1)
    throw usageError(
      'lessons starter',
      `cannot ${wishes.join(' and ')} at once`,
      `give one of --${wishes.join(', --')}`,
    );
  return withHome(input, (open) =>
    input.options.list === true || wishes.length === 0 ? list(open) : change(input, open),
  );
};

async function list({ store }: OpenHome): Promise<CommandResult> {
  const states = await readStarter(store);
  const json = states.map((state) => ({
    ...{ key: state.key, state: toState(state), summary: state.summary },
    ...{ triggers: state.triggers, backtest: state.backtest },
    ...(state.lesson === undefined ? {} : { slug: state.lesson.slug }),
  }));
  const rows = states.flatMap((state) => [
    `  ${toState(state).padEnd(13)}  ${state.summary}`,
    `                 fires on ${renderConditions(state.triggers)}`,
    `                 ${renderBacktest(state.backtest)}`,
  ]);
  const isMissing = states.some(({ lesson, isAway }) => lesson === undefined || isAway);
  const next = isMissing ? 'Install them: oncebitten lessons starter --install' : 'All of them are installed.';
  return { json: toWholePage(json), text: [...rows, '', next].join('\n') };
}

async function change(input: CommandInput, open: OpenHome): Promise<CommandResult> {
  const act = { by: readUserName(input.env), at: new Date().toISOString(), command: makeId('cmd', Date.now()) };
  const isInstall = input.options.install === true;
  const lessons = isInstall ? await installStarter(open.store, act) : await removeStarter(open.store, act);
  if (lessons.length > 0) await compileLessons(open);
  const slugs = lessons.map(({ slug }) => slug);
  const names = slugs.map((slug) => `  ${slug}`);
  const [done, none] = isInstall ? ['Installed', 'Nothing to install: all'] : ['Removed', 'Nothing to remove: none'];
  const next = isInstall
    ? 'They are drafts, which do not fire. Approve some: oncebitten lessons approve <lessons>. Go through all drafts: oncebitten lessons review'
    : 'Lessons that somebody changed or approved stay.';
  const text = slugs.length === 0 ? `${none} ${isInstall ? 'are installed' : 'is installed and unchanged'}.` : '';
  return {
    json: isInstall ? { installed: slugs } : { removed: slugs },
    text: text || [`${done} ${slugs.length}:`, ...names, next].join('\n'),
  };
}

function toState({ lesson, isAway }: StarterState): string {
  return lesson === undefined || isAway ? 'not installed' : lesson.status;
}
