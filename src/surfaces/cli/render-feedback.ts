/** What was said about a lesson, one line for each voice. */
import type { Feedback } from '../../base/feedback.ts';
import { toLine, toMinute } from './to-line.ts';

export function renderFeedback({ verdict, by, at, note }: Feedback): string {
  return `${verdict} (${by}, ${toMinute(at)})${note === undefined ? '' : `: ${toLine(note, 300)}`}`;
}
