/**
 * What a user's message corrects, from its words alone: what is wanted, what is not. English only: the calls before and
 * after the words have to show the rest. `parse-rules.ts` finds what the words state by themselves.
 */

import { toOwnSentences } from './own-sentences.ts';

export interface Correction {
  /** The sentence itself. */
  readonly words: string;
  /** Each the words after `use`, `forgot`, `we use` …: a program, a command, an option may stand first. */
  readonly wanted: readonly Phrase[];
  /** Each the words after `not`, `don't use`, `instead of` …. */
  readonly unwanted: readonly Phrase[];
  /** Said for good: `always`, `never`, `from now on`. */
  readonly isRule: boolean;
}

export type Phrase = readonly string[];

const MAX_PHRASE_WORDS = 6;

/** All that a sentence says, before the one that says what is right. */
const BLAME =
  /^(?:no|nope|nah|wrong|stop|(?:no, )?(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct)))\W*$/i;

const RULE = /\b(?:always|never|from now on)\b/i;

/** `isInterrupted`: the user stopped the agent to say it, so that plain "use pnpm" corrects, too. */
export function parseCorrections(text: string, isInterrupted = false): readonly Correction[] {
  const found: Correction[] = [];
  let [isFramed, before]: [boolean, Correction | undefined] = [isInterrupted, undefined];
  for (const sentence of toOwnSentences(text)) {
    const correction = parseSentence(sentence, isFramed);
    // What is not wanted may be said in one sentence, and what is in the next.
    const isHalf = before?.wanted.length === 0 && correction?.unwanted.length === 0;
    if (before !== undefined && correction !== undefined && isHalf) found.splice(-1, 1, join(before, correction));
    else if (correction !== undefined) found.push(correction);
    isFramed = isInterrupted || BLAME.test(sentence) || correction?.wanted.length === 0;
    before = correction;
  }
  return found;
}

/** "We don't use npm. Use pnpm." */
function join(before: Correction, after: Correction): Correction {
  const words = `${before.words} ${after.words}`;
  return { words, wanted: after.wanted, unwanted: before.unwanted, isRule: before.isRule || after.isRule };
}

function parseSentence(sentence: string, isFramed: boolean): Correction | undefined {
  if (!isCorrecting(sentence, isFramed)) return undefined;
  const { wanted, unwanted } = toPhrases(sentence);
  if (wanted.length + unwanted.length === 0) return undefined;
  return { words: sentence, wanted, unwanted, isRule: RULE.test(sentence) };
}

const NEGATIVE =
  "instead of|rather than|(?:i )?(?:did not|didn'?t) (?:say|ask|tell|want)(?: you)?(?: to)?|you (?:keep |were |are )?(?:used|ran|using|running|called|calling)|you'?re (?:using|running)|don'?t|do not|never|stop|avoid|shouldn'?t|should not|mustn'?t|must not|no longer|without|not";
const POSITIVE =
  "you (?:did not|didn'?t|haven'?t|have not|forgot|missed|skipped)(?: to)?|forgot(?: to)?|missing|uses?|using|used|prefers?|running|runs?|call|pass(?:ed|ing)?|with|always";
const CUE = new RegExp(`(?<![\\w-])(?:(${NEGATIVE})|(${POSITIVE}))(?![\\w-])`, 'gi');
const BREAK =
  /[,;()]|:(?=\s|$)|\s[-–—]+\s|\s(?:but|and|because|since|so|as|then|for|in|when|on|here|everywhere)(?=\s|$)/i;
const FILLER =
  /^(?:the|a|an|our|your|my|just|please|only|ever|to|be|been|have|of|that|this|command|flag|option|you|me|it|it's|there|plain|bare|raw|regular|normal|vanilla)$/i;

interface Piece {
  readonly isWanted: boolean | undefined;
  readonly text: string;
}

/** Cut at every cue; a phrase goes from its cue to the next one, or to where the clause ends. */
function toPhrases(sentence: string): Pick<Correction, 'wanted' | 'unwanted'> {
  const pieces = toPieces(sentence);
  const pick = (isWanted: boolean): readonly Phrase[] =>
    pieces
      .filter((piece) => piece.isWanted === isWanted)
      .map(({ text }) => toWords(text))
      .filter((words) => words.length > 0);
  return { wanted: pick(true), unwanted: pick(false) };
}

function toPieces(sentence: string): readonly Piece[] {
  // What stands between backticks is one thing: no cue, and no end of a clause.
  const masked = sentence.replaceAll(/`[^`]*`/g, (code) => '`'.repeat(code.length));
  const cues = toCues(masked);
  const pieces: Piece[] = [];
  let polarity: boolean | undefined;
  cues.forEach((cue, i) => {
    const gap = masked.slice(i === 0 ? 0 : toEnd(cues[i - 1]), cue.index);
    const isPositive = cue[2] !== undefined;
    // "don't use", "never run", "instead of using": one cue.
    const joins =
      i > 0 && polarity === false && isPositive && gap.split(/\s+/).every((w) => w === '' || FILLER.test(w));
    if (i === 0 && /^(?:instead of|rather than|not)$/i.test(cue[0])) {
      const before = sentence.slice(0, cue.index);
      pieces.push({ isWanted: true, text: before.split(/[,;]\s/).findLast((part) => part.trim() !== '') ?? '' });
    }
    polarity = joins ? false : isPositive;
    pieces.push({ isWanted: polarity, text: cutClause(sentence, masked, toEnd(cue), cues[i + 1]?.index) });
  });
  return pieces;
}

/** `run` of `use uv run pytest` is a word of the command. */
function toCues(masked: string): readonly RegExpExecArray[] {
  const cues: RegExpExecArray[] = [];
  for (const cue of masked.matchAll(CUE)) {
    const before = cues.at(-1);
    const gap = before === undefined ? '' : masked.slice(toEnd(before), cue.index).trim();
    const isWord = /^run$/i.test(cue[0]) && /^[^\s,;:]+$/.test(gap) && !FILLER.test(gap);
    // "run the tests with make", but "it works with npm".
    const isLoose = /^with$/i.test(cue[0]) && before === undefined;
    if (!isWord && !isLoose) cues.push(cue);
  }
  return cues;
}

function toEnd(cue: RegExpMatchArray | undefined): number {
  return cue === undefined ? 0 : (cue.index ?? 0) + cue[0].length;
}

function cutClause(sentence: string, masked: string, from: number, to: number | undefined): string {
  const rest = masked.slice(from, to);
  // A mark right behind the cue ("no, use: x") does not end what has not begun.
  const lead = /^[\s,:]*/.exec(rest)?.[0].length ?? 0;
  const end = rest.slice(lead).search(BREAK);
  return sentence.slice(from, end < 0 ? to : from + lead + end);
}

function toWords(text: string): Phrase {
  const words = text
    .split(/[\s`"]+/)
    .map((word) => word.replace(/^[('[]+/, '').replace(/[)'\].,!?:;]+$/, ''))
    .filter((word) => word !== '');
  const start = words.findIndex((word) => !FILLER.test(word));
  return start < 0 ? [] : words.slice(start, start + MAX_PHRASE_WORDS);
}

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
/**
 * Whether a sentence of a user blames, forbids or sets something right. Questions, doubts, plans, praise, reports and
 * quotes do not, however much they sound like it: a correction that is missed costs little, one that was never made costs
 * a wrong lesson.
 */
function isCorrecting(sentence: string, isFramed: boolean): boolean {
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
