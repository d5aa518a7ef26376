/** `oncebitten pause`: nothing is captured and nothing is said, for a while or until `resume`. */
import { isRunning, type Pause, type Switches } from '../../../base/switches.ts';
import { changeSwitches } from '../change-switches.ts';
import type { Handler } from '../command.ts';
import { renderUnseen } from '../get-switched-session.ts';
import { toUntil } from '../parse-span.ts';
import { renderScopeFlag, renderSwitchState, renderUntil, toSwitchState } from '../render-switches.ts';
import { isSameScope, type PauseScope, renderScope, toPauseScope } from '../to-pause-scope.ts';

export const run: Handler = async (input) => {
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
    text: [
      `Paused${renderUntil(until)}: ${renderScope(scope)}. Nothing is captured and nothing is said.`,
      ...(isKnown ? [] : [renderUnseen(scope.id ?? '')]),
      `Go on: oncebitten resume${flag}`,
      `What was captured before stays; to remove it: oncebitten forget${flag}`,
      ...others,
    ].join('\n'),
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
