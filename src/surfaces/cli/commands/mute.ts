/** `oncebitten mute`: a lesson, or everything, stays silent; it is neither archived nor judged, and capture goes on. */
import { changeSwitches } from '../change-switches.ts';
import type { Handler } from '../command.ts';
import { renderUnseen } from '../get-switched-session.ts';
import { toUntil } from '../parse-span.ts';
import { quoteWord } from '../quote-word.ts';
import { renderUntil, toSwitchState } from '../render-switches.ts';
import { isSameMute, toMuteTarget } from '../to-mute.ts';

export const run: Handler = async (input) => {
  const span = input.options.for as string | undefined;
  const until = span === undefined ? {} : { until: toUntil(span, '--for', Date.now()) };
  const { mute, name, isKnown } = await toMuteTarget(input, 'mute');
  const { switches } = changeSwitches(input.home, (found) => ({
    ...found,
    mutes: [...found.mutes.filter((one) => !isSameMute(one, mute)), { ...mute, ...until }],
  }));
  const undo = mute.lessonId === undefined ? '--all' : name.split(' ')[0];
  const session = mute.sessionId === undefined ? '' : ` --session ${quoteWord(mute.sessionId)}`;
  const unseen = isKnown || mute.sessionId === undefined ? [] : [renderUnseen(mute.sessionId)];
  const done = `Muted${renderUntil(until)}: ${name}. Capture goes on. Undo: oncebitten unmute ${undo}${session}`;
  return {
    json: { ...mute, ...until, isKnown, ...toSwitchState(switches) },
    text: [done, ...unseen].join('\n'),
  };
};
