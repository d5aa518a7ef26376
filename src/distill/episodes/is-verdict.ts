/**
 * Outputs in which the command was right and something else said no: a test, linter or build judged the code, or the
 * world was in the way. Neither is mended by another command.
 */

import { remember } from '../../base/bounded-memory.ts';
import type { LiveCall } from '../../base/model/call.ts';

/** Ten detectors ask the same of the same output. */
const MAX_REMEMBERED = 200;

const VERDICTS: readonly RegExp[] = [
  /^[ \t]*--- FAIL: /m,
  /^FAIL(?:ED)?\b/m,
  // `port 5432 failed` counts nothing.
  /(?<!\bport )\b[1-9]\d* (?:failed|failing|failures?|problems?|issues?|errors?)\b/i,
  /^test result: FAILED/m,
  // Pip draws a box with the same sign.
  /^[ \t]*(?:not ok \d|[✗✖×] (?!.*\n╰))/m,
  /^[^\s:()]+\.\w+[:(]\d+[:,]\d+\)?:? /m,
  /could not compile|compilation failed/i,
  /\bAssertionError\b|^E {2,}assert /m,
];

const WORLD: readonly RegExp[] = [
  /could not resolve (?:the )?(?:host|proxy)|name or service not known|getaddrinfo|network is (?:down|unreachable)|no route to host/i,
  /connection (?:refused|reset|timed out|closed)|network (?:error|aborted)|timeout was reached|i\/o timeout|(?<![-\w])timed? ?out\b|tls handshake|\bECONN\w+|\bETIMEDOUT\b|\bEAI_AGAIN\b/i,
  /rate limit|too many (?:requests|clients|connections)|\b(?:HTTP|status)[ /:]*(?:429|50[0234])\b|service unavailable|bad gateway/i,
  /\.lock': file exists|index\.lock|another \w+ process|resource (?:busy|temporarily unavailable)|database is locked|\b(?:acquir\w+|get) (?:\S+ ){0,3}lock\b|\bEBUSY\b/i,
  /no space left on device|out of memory|cannot allocate memory/i,
  /\bEADDRINUSE\b|address already in use|port \d+ is (?:already )?(?:in use|allocated)/i,
  /cannot connect to the docker daemon|is the docker daemon running/i,
];

/** The call ran to its end, and a test, linter, type checker or build said no. What printed until its time was over judges nothing. */
export function isJudged(call: LiveCall): boolean {
  return call.outcome === 'failure' && call.hung !== true && isVerdict(call.output ?? '');
}

/** A test, linter, type checker or build ran and said no: the fix is code. */
export const isVerdict = remember((output) => VERDICTS.some((pattern) => pattern.test(output)), MAX_REMEMBERED);

/** Network, locks, rate limits, full disks: the same command works at another time. */
export const isWorld = remember((output) => WORLD.some((pattern) => pattern.test(output)), MAX_REMEMBERED);
