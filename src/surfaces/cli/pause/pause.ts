/**
 * `oncebitten pause` and `resume`: stop and restart capture and delivery for everything, a project or a session; a
 * pause lasts for a given time or until `resume`. An ended pause stays recorded, because a transcript that is read
 * later also contains its calls. An unknown project or session is refused, because the user would rely on a pause that
 * has no effect.
 */

import { resolve } from 'node:path';
import { toAllIds } from '../../../base/model/project.ts';
import { isRunning, type Pause, type Switches } from '../../../base/model/switches.ts';
import { toUntil } from '../arguments/options.ts';
import { findHere, getProject, type KnownProject, listKnown } from '../arguments/projects.ts';
import { getSwitchedSession, renderUnseen } from '../arguments/sessions.ts';
import type { CommandInput, Handler } from '../command.ts';
import { usageError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { joinLines, toSentence } from '../text.ts';
import {
  changeSwitches,
  readSwitchState,
  renderScopeFlag,
  renderSwitchState,
  renderUntil,
  toSwitchState,
} from './switches.ts';

export const runPause: Handler = async (input) => {
  const nowMs = Date.now();
  const { scope, isKnown } = await toPauseScope(input);
  const span = input.options.for as string | undefined;
  const until = span === undefined ? {} : { until: toUntil(span, '--for', nowMs) };
  const { switches } = changeSwitches(input.home, (found) => pause(found, scope, until, nowMs));
  const state = toSwitchState(switches, nowMs);
  const others = renderSwitchState({ ...state, paused: state.paused.filter((one) => !isSameScope(one, scope)) });
  const flag = renderScopeFlag(scope);
  return {
    json: { ...scope, ...until, isKnown, ...state },
    text: joinLines([
      `Paused${renderUntil(until)}: ${renderScope(scope)}. Nothing is captured and no lesson is shown.`,
      !isKnown && renderUnseen(scope.id ?? ''),
      `End the pause: oncebitten resume${flag}`,
      `Data that was captured before stays; to remove it: oncebitten data forget${flag}`,
      scope.what !== 'all' &&
        state.pausedAll &&
        `Everything is paused as well. To capture this ${scope.what} again, end both pauses.`,
      ...others,
    ]),
  };
};

/** One that runs already is made longer or shorter; its beginning stays. */
function pause(switches: Switches, scope: PauseScope, until: Pick<Pause, 'until'>, nowMs: number): Switches {
  const isEarlier = (one: Pause): boolean => isSameScope(one, scope) && isRunning(one, nowMs);
  const starts = switches.pauses.filter(isEarlier).map(({ from }) => from);
  const [from = ''] = [...starts, new Date(nowMs).toISOString()].sort();
  return {
    ...switches,
    pauses: [...switches.pauses.filter((one) => !isEarlier(one)), { ...scope, from, ...until }],
  };
}

export const runResume: Handler = async (input) => {
  const running = readSwitchState(input.home, Date.now()).paused;
  const { scope } = await toPauseScope(input, running);
  let ended = 0;
  const { switches, repaired } = changeSwitches(input.home, (found) => {
    // The time at which the file is written: until then, hooks captured nothing.
    const after = end(found, scope, Date.now());
    ended = after.ended;
    return after.switches;
  });
  // Not an earlier time, at which the ended pause was still running.
  const state = toSwitchState(switches, Date.now());
  const first = repaired
    ? 'The switch file was broken, so everything was paused. It was rewritten; set your other pauses and mutes again.'
    : ended > 0
      ? `Resumed: ${renderScope(scope)}. Calls made during the pause are not learned from, even if their transcripts are scanned.`
      : `${scope.what === 'all' ? 'Oncebitten as a whole' : toSentence(renderScope(scope))} was not paused; nothing changed.`;
  const json = { ...scope, resumed: repaired || ended > 0, ...state };
  return { json, text: [first, ...renderSwitchState(state)].join('\n') };
};

function end(switches: Switches, scope: PauseScope, nowMs: number): { switches: Switches; ended: number } {
  const until = new Date(nowMs).toISOString();
  let ended = 0;
  const pauses = switches.pauses.map((pause) => {
    if (!isSameScope(pause, scope) || !isRunning(pause, nowMs)) return pause;
    ended++;
    return { ...pause, until };
  });
  return { switches: { ...switches, pauses }, ended };
}

type PauseScope = Pick<Pause, 'what' | 'id' | 'dir'>;

interface MeantScope {
  readonly scope: PauseScope;
  /** False for a session of which nothing was seen yet. */
  readonly isKnown: boolean;
}

type Input = Pick<CommandInput, 'options' | 'cwd' | 'home' | 'env'>;

/** `running`: current pauses, for `resume`; their folders may be gone. */
export async function toPauseScope(input: Input, running: readonly Pause[] = []): Promise<MeantScope> {
  const { project, session } = input.options as { project?: string | true; session?: string };
  if (project !== undefined && session !== undefined) {
    throw usageError('--project and --session', 'were both given', 'give one of them, or none for everything');
  }
  if (session !== undefined) {
    const paused = running.flatMap(({ what, id }) => (what === 'session' && id !== undefined ? [id] : []));
    const { id, isKnown } = await getSwitchedSession(input, session, paused);
    return { scope: { what: 'session', id }, isKnown };
  }
  if (project === undefined) return { scope: { what: 'all' }, isKnown: true };
  return { scope: await toProjectScope(input, project === true ? '.' : project, running), isKnown: true };
}

async function toProjectScope(input: Input, text: string, running: readonly Pause[]): Promise<PauseScope> {
  const dir = resolve(input.cwd, text);
  const paused = running.find((one) => one.what === 'project' && (one.id === text || one.dir === dir));
  if (paused !== undefined) return toScope(paused);
  const here = findHere(text, input.cwd);
  const joined = here && (await findJoined(input, here.id, running));
  if (joined !== undefined) return toScope(joined);
  if (here !== undefined) return { what: 'project', id: here.id, dir: here.root };
  const known = await readHome(input, async ({ store }) => listKnown(await store.listProjectSummaries()));
  const meant = getProject(known, text, input.cwd);
  const root = findRoot(meant);
  return { what: 'project', id: meant.id, ...(root === undefined ? {} : { dir: root }) };
}

/** The pause of another folder of the same project. */
async function findJoined(input: Input, id: string, running: readonly Pause[]): Promise<Pause | undefined> {
  if (!running.some(({ what }) => what === 'project')) return undefined;
  const aliases = await readHome(input, ({ store }) => store.listProjectAliases());
  const ids = toAllIds(aliases, [id]);
  return running.find((one) => one.what === 'project' && ids.includes(one.id ?? ''));
}

/** The folder of a project that has only one, unless that folder is another project by now. */
function findRoot({ id, roots }: KnownProject): string | undefined {
  const [root] = roots;
  if (root === undefined || roots.length > 1) return undefined;
  return (findHere(root, '/')?.id ?? id) === id ? root : undefined;
}

function toScope({ what, id, dir }: Pause): PauseScope {
  return { what, ...(id === undefined ? {} : { id }), ...(dir === undefined ? {} : { dir }) };
}

function isSameScope(a: PauseScope, b: PauseScope): boolean {
  return a.what === b.what && a.id === b.id;
}

function renderScope({ what, id, dir }: PauseScope): string {
  return what === 'all' ? 'everything' : `${what} ${dir ?? id}`;
}
