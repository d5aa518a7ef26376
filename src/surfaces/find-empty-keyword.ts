/** A keyword that stands in nearly every message: a single letter, or a word that only holds sentences together. */
import type { Triggers } from '../base/trigger.ts';

const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be been before but by can could did do does done for from get go had has
  have he her here him his how i if in into is it its just let like make may me more my need new no not now of off ok on
  one only or other our out over please she should so some than thanks that the their them then there these they this those
  to too under up us use very want was we were what when where which who why will with would yes you your`.split(/\s+/),
);
/** In scripts without letters a sign is a word. */
const LETTER =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{N}\p{P}\p{S}]$/u;

export function findEmptyKeyword({ actionKeywords = [], contextKeywords = [] }: Triggers): string | undefined {
  return [...actionKeywords, ...contextKeywords].find((keyword) => {
    const words = keyword.trim().toLowerCase().split(/\s+/);
    return words.every((word) => STOP_WORDS.has(word) || LETTER.test(word));
  });
}
