/** What a correction is about, from its words: what cannot be taken back, or the quality of the work. */

export type Impact = 'impact' | 'quality';

const IMPACT =
  /\b(?:deploy(?:s|ed|ing|ment)?|releas(?:e|es|ed|ing)|production|prod|security|migrat(?:e|es|ed|ing|ion|ions)|publish(?:es|ed|ing)?)\b/i;
const DATA_LOSS =
  /\bdata loss\b|\bloses? (?:data|work|changes|commits)\b|\blost (?:the |my |our |all |your )?(?:data|work|changes|commits|files)\b|\b(?:overwr(?:ote|itten)|wiped|truncated|unrecoverable|irrecoverabl[ey]|corrupted)\b|\b(?:deleted|removed|erased|dropped) (?:the |my |our |all |your )?(?:data|database|table|files|work|changes)\b/i;
const QUALITY =
  /\b(?:tests?|tested|testing|lint|linter|linting|typecheck|type[- ]check|coverage|review|reviewed|quality|regressions?|ci)\b/i;

export function findImpact(words: string): Impact | undefined {
  if (IMPACT.test(words) || DATA_LOSS.test(words)) return 'impact';
  return QUALITY.test(words) ? 'quality' : undefined;
}

export function tellsDataLoss(words: string): boolean {
  return DATA_LOSS.test(words);
}
