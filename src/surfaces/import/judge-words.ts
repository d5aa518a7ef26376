/** What the guard says of words that nobody here wrote: every text of the lesson is looked at. */
import type { Lesson } from '../../base/lesson.ts';
import { judgeForeign } from '../../distill/guard/judge-foreign.ts';
import { findPoison } from '../../distill/guard/poison-shapes.ts';
import { toPlainLine } from '../../distill/guard/to-plain-line.ts';
import { toWords } from './lesson-words.ts';
import { listTexts } from './map-texts.ts';

export interface WordsVerdict {
  /** It gives orders to the agent that reads it. */
  readonly isAttack: boolean;
  readonly cautions: readonly string[];
}

export function judgeWords(lesson: Lesson): WordsVerdict {
  const isAttack = listTexts(toWords(lesson)).some((text) => findPoison(toPlainLine(text)) === 'attack');
  return { isAttack, cautions: isAttack ? [] : judgeForeign(lesson) };
}
