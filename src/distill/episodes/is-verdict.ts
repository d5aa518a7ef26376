/**
 * Outputs in which the command was right and something else said no: a test, linter or build judged the code, or the
 * world was in the way. Neither is mended by another command.
 */

import { remember } from '../../base/bounded-memory.ts';
import type { LiveCall } from '../../base/model/call.ts';

/** Ten detectors ask the same of the same output. */
const MAX_REMEMBERED = 200;

const VERDICTS: readonly RegExp[] = [
  // A test failed, by its name or by a mark.
  /^[ \t]*(?:--- FAIL: |not ok \d)|^FAIL(?:ED)?(?:\t|!|: | +\S*[/.(]| in )|(?:^|[ :])FAIL(?:ED)?$|\.{3}Failed$/m,
  /\btests? fail(?:ed|s|ures?)\b|\b(?:would|needs? to) (?:be )?(?:re)?format|\bformatter would\b|\bcode style issues\b/i,
  // Pip draws a box with the same sign.
  /^[ \t]*[✗✖✕✘×] (?!.*\n╰)/m,
  // How many: `port 5432 failed` counts nothing.
  /(?<![:.]|\bport )\b(?:[1-9]\d*|one) (?:\w+(?:\(s\))? )?(?:fail(?:ed|ing|ures?)?|problems?|issues?|errors?(?:\(s\))?|offenses?|violations?)\b/i,
  /\b(?:failures|errors|failed): +[1-9]|\bfailed [1-9]\d*(?:\/\d| (?:tests?|of)\b)/i,
  // Where: `a.ts:3:5 `, `a.cs(3,5):`, `A.java:[3,5] `, `a.rb:3: `.
  /^(?!.*(?:node_modules|[\\/]pkg[\\/]mod[\\/]|site-packages|\binternal\/modules\/))[ \t]*(?:#\d+ [\d.]+ |[^\w\n]*(?:error|warning|vet|e|w|diff in)\b\W*)?(?:file:\/\/|[A-Za-z]:\\)?[^\s:()]+\.[A-Za-z]\w*(?: ?[:(]\d+[:,] ?\d+\)?[: ]|:\[\d+,\d+\] |:\d+(?:: \S|:?$))/im,
  // Where, and the code of the rule: `Dockerfile:3 DL3008 `; in a sentence: `at a.t line 7`, `in 'a.yml': line 7`.
  /^\S+:\d+ [A-Z]{1,5}\d{3,}\b|\.[a-z]\w*(?:'?:)?(?: on)? line \d+|\/[\w-]+\.[a-z]\w*:\d+:\d+"?: /im,
  /^[ \t│|]*(?:-->|on) +\S+\.\w+(?::| line )\d+/m,
  /could not compile|failed to compile|compil(?:e|ation) (?:failed|failure|error)|undefined reference to/i,
  /\bAssert(?:ion)?(?:Failed)?Error\b|^E {2,}assert |\bexpected:? .{1,200}\bbut (?:was|got|found|received)\b/im,
];

/** Code that is not part of the project: a package, the runtime, or a script of one use. */
const FOREIGN =
  /node_modules|[\\/]pkg[\\/]mod[\\/]|site-packages|dist-packages|node:|\binternal\/(?:modules|main|process|bootstrap)\/|[<[](?:string|stdin|eval)|\/(?:usr|opt|Library)\/|[\\/]plugins[\\/]cache[\\/]|[\\/]registry[\\/]src[\\/]|\\Program Files\\|\blib\/python|\\Python\d+\\lib\\|-e:\d/i;
/** A line of a stack trace: Python; Node.js, Java and .NET; Go, Ruby and Rust. */
const FRAME =
  /^ *File ".+", line \d+|^\s+at .*\.\w+:(?:line )?\d+(?::\d+)?\)?$|^\s*\S+\.(?:go|rb):\d+(?: \+0x|:in )|panicked at \S+:\d+/;
const PLACE = /\.[a-z]\w* ?[:(]\d+|\bline \d+/i;

/** Code of the project was running as the error arose. */
export const hasTrace = rememberLine(FRAME);

/** Names a place in the project. */
export const hasPlace = rememberLine(PLACE);

function rememberLine(pattern: RegExp): (output: string) => boolean {
  return remember(
    (output) => output.split('\n').some((line) => pattern.test(line) && !FOREIGN.test(line)),
    MAX_REMEMBERED,
  );
}

const WORLD: readonly RegExp[] = [
  /could not resolve (?:the )?(?:host|proxy)|name or service not known|\bno such host\b|could not fetch \S+ from promisor|getaddrinfo|network is (?:down|unreachable)|no route to host/i,
  /connection (?:refused|reset|timed out|closed|broken)|temporary failure|network (?:error|aborted)|timeout was reached|i\/o timeout|(?<![-\w])timed? ?out\b|tls handshake|\bECONN\w+|\bETIMEDOUT\b|\bEAI_AGAIN\b/i,
  /\berror sending request\b|\bhttp request failed\b|\bunable to connect to the remote server\b|\bremote name could not be resolved\b/i,
  /rate limit|too many (?:requests|clients|connections)|\b(?:HTTP|status)[ /:]*(?:429|50[0234])\b|service unavailable|bad gateway/i,
  /\.lock': file exists|index\.lock|another \w+ process|resource (?:busy|temporarily unavailable)|database (?:table )?is locked|\bSQLITE_BUSY\b|\b(?:acquir\w+|get) (?:\S+ ){0,3}lock\b|\bEBUSY\b/i,
  /no space left on device|(?<!heap )out of memory|cannot allocate memory/i,
  /\bEADDRINUSE\b|address already in use|\bport (?:\d+ )?is (?:already )?(?:in use|allocated)/i,
  /cannot connect to the docker daemon|is the docker daemon running/i,
];

/**
 * The call ran to its end, and a test, linter, type checker or build said no. What printed until its time was over
 * judges nothing.
 */
export function isJudged(call: LiveCall): boolean {
  return call.outcome === 'failure' && call.hung !== true && isVerdict(call.output ?? '');
}

/** A test, linter, type checker or build ran and said no: the fix is code. */
export const isVerdict = remember((output) => VERDICTS.some((pattern) => pattern.test(output)), MAX_REMEMBERED);

/** Network, locks, rate limits, full disks: the same command works at another time. */
export const isWorld = remember((output) => WORLD.some((pattern) => pattern.test(output)), MAX_REMEMBERED);
