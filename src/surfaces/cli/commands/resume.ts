/** `oncebitten resume`: ends a pause. That there was one is remembered: a transcript read later tells of it too. */
import { isRunning, type Switches } from '../../../base/switches.ts';
import { changeSwitches } from '../change-switches.ts';
import type { Handler } from '../command.ts';
import { readSwitchState, renderSwitchState, toSwitchState } from '../render-switches.ts';
import { isSameScope, type PauseScope, renderScope, toPauseScope } from '../to-pause-scope.ts';

export const run: Handler = async (input) => {
  const nowMs = Date.now();
  const running = readSwitchState(input.home, nowMs).paused;
  const { scope } = await toPauseScope(input, running);
  let ended = 0;
  const { switches, repaired } = changeSwitches(input.home, (found) => {
    const after = end(found, scope, nowMs);
    ended = after.ended;
    return after.switches;
  });
  const state = toSwitchState(switches, nowMs);
  const first = repaired
    ? 'The switch file was broken, which paused everything. It is written anew; set again what you had paused or muted.'
    : ended > 0
      ? `Resumed: ${renderScope(scope)}. What happened during the pause stays out, also when transcripts are scanned.`
      : `There was no pause of ${renderScope(scope)}.`;
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
