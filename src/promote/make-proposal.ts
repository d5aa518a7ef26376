/** What a person reads before deciding on a promotion. */
import type { Lesson } from '../base/lesson.ts';
import { type Track, toEffectiveness } from './judge-candidate.ts';

const MAX_EXAMPLES = 3;

export interface Proposal {
  readonly title: string;
  /** At which calls it speaks. */
  readonly context: string;
  readonly problem: string;
  readonly solution: string;
  readonly frequency: Frequency;
  /** Excerpts of what happened, newest first. */
  readonly examples: readonly string[];
}

export interface Frequency extends Track {
  /** Clean of judged; absent where nothing was judged. */
  readonly effectiveness?: number;
  /** The mistake was seen so often, in so many sessions and projects. */
  readonly seen: { readonly times: number; readonly sessions: number; readonly projects: number };
}

export function makeProposal(lesson: Lesson, track: Track, context: string): Proposal {
  const { summary, mistake, remediation, occurrences, sessions, projects } = lesson;
  const effectiveness = toEffectiveness(track);
  return {
    title: summary,
    context,
    problem: mistake,
    solution: remediation,
    frequency: {
      ...track,
      ...(effectiveness === undefined ? {} : { effectiveness }),
      seen: { times: occurrences, sessions, projects },
    },
    examples: listExamples(lesson),
  };
}

function listExamples({ evidence }: Lesson): readonly string[] {
  const newest = evidence.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return [...new Set(newest.flatMap(({ excerpt }) => excerpt ?? []))].slice(0, MAX_EXAMPLES);
}
