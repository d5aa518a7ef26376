/** `oncebitten unmute`. */
import { changeSwitches } from '../change-switches.ts';
import type { Handler } from '../command.ts';
import { renderSwitchState, toSwitchState } from '../render-switches.ts';
import { isSameMute, toMuteTarget } from '../to-mute.ts';

export const run: Handler = async (input) => {
  const { mute, name } = await toMuteTarget(input, 'unmute');
  let unmuted = false;
  const { switches } = changeSwitches(input.home, (found) => {
    const mutes = found.mutes.filter((one) => !isSameMute(one, mute));
    unmuted = mutes.length < found.mutes.length;
    return { ...found, mutes };
  });
  const state = toSwitchState(switches);
  const first = unmuted ? `May speak again: ${name}.` : `Was not muted: ${name}.`;
  return { json: { ...mute, unmuted, ...state }, text: [first, ...renderSwitchState(state)].join('\n') };
};
