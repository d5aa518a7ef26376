/**
 * What kind of failure the error of a language model is, by the status of its server, else by the words that servers and
 * agents use for it. For error messages only, never for the text of an answer.
 */

import type { ModelFailure } from '../contracts/language-model.ts';
import { dropAbsent } from '../records.ts';

interface JudgedFailure {
  readonly kind: ModelFailure;
  /** Present: the same question may be answered after this time. */
  readonly retryAfterMs?: number;
}

/** In this order: a server without credit often answers with the status of a rate limit. */
const WORDS: readonly (readonly [RegExp, ModelFailure])[] = [
  [
    /credit balance|insufficient[_ ](?:quota|credit|funds|balance)|(?:maximum|max) budget|billing|payment required/i,
    'over-budget',
  ],
  [
    /\b429\b|\b529\b|rate.?limit|too many requests|quota|usage limit|limit reached|overloaded|resource.?exhausted|high demand/i,
    'rate-limit',
  ],
  [
    /\b40[13]\b|log ?in\b|logged in|unauthori[sz]ed|authenticat|\bauth method\b|api.?key|credentials|access token/i,
    'not-logged-in',
  ],
  [/usage polic|content.?(?:filter|policy)|safety|refus(?:al|ed to)|prohibited/i, 'refused'],
];

const BY_STATUS: Readonly<Record<number, ModelFailure>> = {
  401: 'not-logged-in',
  402: 'over-budget',
  403: 'not-logged-in',
  429: 'rate-limit',
  529: 'rate-limit',
};

/** The server has trouble that is usually over soon. */
const SOON_MS = 2_000;

export function judgeModelFailure(text: string, status?: number): JudgedFailure {
  const byWords = WORDS.find(([words]) => words.test(text))?.[1];
  const byStatus = status === undefined ? undefined : BY_STATUS[status];
  const kind = byWords === 'over-budget' ? byWords : (byStatus ?? byWords ?? 'failed');
  const isSoon = kind === 'failed' && status !== undefined && status >= 500;
  const retryAfterMs = kind === 'rate-limit' ? findRetryAfter(text) : isSoon ? SOON_MS : undefined;
  return { kind, ...dropAbsent({ retryAfterMs }) };
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const RETRY = /(?:retry|try again)\D{0,20}?(\d+(?:\.\d+)?)\s*(ms|[smhd])/i;

/** `Please try again in 20s`, `retry after 3 minutes`. */
function findRetryAfter(text: string): number | undefined {
  const [, count, unit = ''] = RETRY.exec(text) ?? [];
  const each = UNIT_MS[unit.toLowerCase()];
  return count === undefined || each === undefined ? undefined : Math.round(Number(count) * each);
}
