/** What stands around lessons that are told as one: a line before the first, and what else is known after the last. */
import { groupBy } from '../base/group-by.ts';
import type { Match, Together } from './match-lessons.ts';

interface Told {
  readonly match: Match;
  readonly text: string;
}

type Fits<T> = (told: readonly T[]) => boolean;

const BESIDE = 'Also known:';

/** The lessons go before what stands around them: that is left out where it does not fit. */
export function tellTogether<T extends Told>(told: readonly T[], fits: Fits<T>): readonly T[] {
  let all = told;
  for (const [together, members] of groupBy(told, ({ match }) => match.together)) {
    if (together === undefined || members.length < 2) continue;
    all = change(all, findPlace(all, together, 'first'), (text) => `${together.head}\n${text}`, fits);
    let head = `\n\n${BESIDE}`;
    for (const line of together.beside) {
      const begin = head;
      const more = change(all, findPlace(all, together, 'last'), (text) => `${text}${begin}\n${line}`, fits);
      if (more !== all) head = '';
      all = more;
    }
  }
  return all;
}

function findPlace(told: readonly Told[], together: Together, which: 'first' | 'last'): number {
  const isMember = ({ match }: Told): boolean => match.together === together;
  return which === 'first' ? told.findIndex(isMember) : told.findLastIndex(isMember);
}

/** The same list where it would not fit. */
function change<T extends Told>(
  told: readonly T[],
  at: number,
  toText: (text: string) => string,
  fits: Fits<T>,
): readonly T[] {
  const changed = told.map((one, i) => (i === at ? { ...one, text: toText(one.text) } : one));
  return fits(changed) ? changed : told;
}
