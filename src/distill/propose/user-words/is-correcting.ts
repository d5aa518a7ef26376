/**
 * Whether a sentence of a user blames, forbids or sets something right. Questions, doubts, plans, praise, reports and
 * quotes do not, however much they sound like it: a correction that is missed costs little, one that was never made costs
 * a wrong lesson.
 */

/** Asked, doubted, planned, or true for this moment only. */
const OPEN =
  /\b(?:maybe|perhaps|i (?:think|guess|wonder|suspect|suppose|believe)|not sure|might|can we|could we|shall we|should we|do we|would we|what if|how about|what about|why|let me|i'?ll|i will|i want|i'?d (?:like|rather|prefer)|let'?s|for now|this time|just this once|for the moment|until|tempora\w+|yet|if|unless|in case|whether|either|or)\b/;

/** Told about how things are, what somebody else does, or what the user did. */
const REPORT =
  /\b(?:fail\w*|broken|crash\w*|errors?|hangs?|hung|does(?: not|n'?t) work|(?:is not|isn'?t) working|no luck|(?:it|this|that|which|they|he|she|ci|the (?:script|tests?|readme|docs?|build|code|function|pipeline)) (?:still |now |also |always |never )*(?:uses?|used|runs?|ran|calls?|called|is (?:using|running))|i(?:'m|'ve| am| have)? (?:just |already |also )*(?:use|used|using|run|ran|running|did(?! ?n[o']t)|installed|switched|changed|tried|set|added|removed|noticed|see|saw))\b/;

/** Only sounds like a correction. */
const PLEASANT =
  /\b(?:no (?:problem|rush|worries|worry|hurry|need|idea|doubt|thanks|thank you|biggie|changes?|issues?|more)|(?:don'?t|do not|never) (?:worry|mind|bother|hesitate|forget|get me wrong|panic)|never ?mind|not bad|not only|no matter|(?:great|nice|glad|love|like|good) (?:that|how)|(?:good|nice|great) (?:call|job|work|catch))\b/;

/** Where somebody is told to do something. */
const TOLD = '(?:^|[,.;:!-] ?|\\b(?:please|just|and|but|so|should|must|to|we|you|then) )(?:please |just |instead )*';
const HERE = '(?:we|(?:this|the|our) (?:repo|repository|project|codebase|team|package|monorepo))';

const FRAMES: readonly RegExp[] = [
  /^(?:(?:oh|hey|ah|um|sorry|please|ok|okay),? )*(?:no|nope|nah|wrong|stop)(?:[,.!:;]| -|$)/,
  /^(?:oh |hey )?(?:no|stop) (?:please |just )?(?:use|using|don'?t|we|you|that'?s|it'?s|not|always|never|run|running|i (?:told|said))\b/,
  /\b(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|what i))/,
  /\byou (?:forgot|missed|skipped|keep|used|ran|should(?:n'?t| not)?|must(?:n'?t| not)?|need to|have to|(?:were|are) (?:not )?supposed to|didn'?t|did not|(?:are|were) (?:using|running)|don'?t (?:use|pass|run))\b/,
  /\byou'?re (?:using|running|missing|supposed to|not supposed to)\b/,
  /\bi (?:already |just |clearly )?(?:told|said|asked|did(?: not|n'?t) (?:say|ask|tell))\b/,
  new RegExp(
    `\\b${HERE} (?:only |always |never )?(?:uses?|don'?t use|doesn'?t use|do(?:es)? not use|runs?|prefers?|(?:is|are) using)\\b`,
  ),
  /\bwe'?re using\b|\bfrom now on\b/,
  new RegExp(`${TOLD}(?:always|never) (?:\\w|\`)`),
  new RegExp(`${TOLD}(?:don'?t|do not|stop|avoid) (?:\\w|--?\\w|\`)`),
  new RegExp(`${TOLD}(?:use|run|prefer) .*(?:\\binstead\\b|\\brather than\\b|\\bnot\\b)`),
  // "pnpm instead of npm please"
  /^\S+(?: \S+){0,3} (?:instead of|rather than)(?: \S+){1,4}$/,
];

/** "Could you use pnpm instead?" is no question. */
const COURTESY = /^(?:please[, ]+)?(?:can|could|would|will) you (?:please |just )*(?=(?:use|run|pass|stop|not)\b)/;

/** `isFramed`: what came before already says that something was wrong. */
export function isCorrecting(sentence: string, isFramed: boolean): boolean {
  const bare = sentence.toLowerCase().replaceAll(/`[^`]*`/g, '`x`');
  if (holdsQuote(bare) || isQuestion(bare) || PLEASANT.test(bare) || REPORT.test(bare)) return false;
  const told = bare.replace(COURTESY, '');
  return !OPEN.test(told) && (isFramed || FRAMES.some((frame) => frame.test(told)));
}

function isQuestion(bare: string): boolean {
  return /\?\W*$/.test(bare) && !(COURTESY.test(bare) && /\binstead\b|\brather than\b|\bnot\b/.test(bare));
}

/** Several words between quotation marks are somebody else's, or a text to be written. */
function holdsQuote(bare: string): boolean {
  return /"[^"]*\s[^"]*"|(?:^|\s)'[^']*\s[^']*'(?:\s|[.,]|$)/.test(bare);
}
