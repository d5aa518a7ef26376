/** One lesson that we bring, as a draft: it speaks when a person has approved it, or the user's own sessions prove it. */
import { makeId } from '../../base/ids.ts';
import type { Lesson } from '../../base/lesson.ts';
import { toContentHash } from '../../distill/lesson/hash-lesson.ts';
import { BACKTESTED_AT, type Backtest, type StarterLesson } from './starter-lessons.ts';

const BY = 'starter/';
/** What is true of a tool for everyone, but not yet seen here. */
const CONFIDENCE = 0.7;

export function makeStarterLesson(starter: StarterLesson, at: string): Lesson {
  const { key, backtest, tags, ...told } = starter;
  return {
    id: makeId('les', Date.parse(at)),
    slug: key,
    ...told,
    tags: [...tags, 'starter'],
    confidence: CONFIDENCE,
    mode: 'note',
    status: 'draft',
    needsReview: false,
    scope: { kind: 'user' },
    origin: { kind: 'import', by: `${BY}${key}`, trust: 'stated' },
    evidence: [{ agent: 'starter', sessionId: 'backtest', at: BACKTESTED_AT, excerpt: renderBacktest(backtest) }],
    occurrences: 0,
    sessions: 0,
    projects: 0,
    validity: { models: [], agentVersions: [] },
    contentHash: toContentHash(starter),
    createdAt: at,
    updatedAt: at,
  };
}

export function renderBacktest({ tried, fired, failed, worked }: Backtest): string {
  const number = (n: number): string => n.toLocaleString('en-US');
  const rest = fired - failed - worked;
  const told = `tried on ${number(tried)} calls of real sessions: spoke at ${number(fired)}`;
  if (fired === 0) return told;
  return `${told}, of them ${number(failed)} failed, ${number(worked)} worked, ${number(rest)} refused or cancelled`;
}

/** Undefined for a lesson that is none of ours. */
export function findStarterKey({ origin }: Pick<Lesson, 'origin'>): string | undefined {
  return origin.by.startsWith(BY) ? origin.by.slice(BY.length) : undefined;
}
