/** Whether a trigger would speak at nearly every call of a tool: tried on ordinary ones, by the matcher itself. */
import type { Triggers } from '../base/trigger.ts';
import { toPathRegexes } from '../keep/to-path-regexes.ts';
import { checkTriggers } from '../match/check-triggers.ts';
import { findEmptyKeyword } from './find-empty-keyword.ts';
import { ORDINARY_CALLS } from './ordinary-calls.ts';

/** Of the calls of one tool. */
const NEARLY_ALL = 0.9;

/** What already happened, who calls, or what was said restricts it enough: those are rules for a while, and for some. */
export function findTriggerNoise(triggers: Triggers): string | undefined {
  const empty = findEmptyKeyword(triggers);
  if (empty !== undefined) return `has the keyword "${empty}", which stands in nearly every message`;
  const { programs, subagents, session, workflows, actionKeywords, contextKeywords } = triggers;
  const narrow = [programs, subagents, session, workflows, actionKeywords, contextKeywords];
  if (narrow.some((part) => part !== undefined)) return undefined;
  const regexes = toPathRegexes(triggers);
  const isNoisy = [...ORDINARY_CALLS].some(([, calls]) => {
    const spoken = calls.filter((call) => checkTriggers(triggers, regexes, call, { callOnly: true }).holds);
    return spoken.length >= NEARLY_ALL * calls.length;
  });
  return isNoisy ? 'would match everything, or nearly: name a program, or a file or text that is not any' : undefined;
}
