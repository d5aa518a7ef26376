/**
 * The trigger of a repair by contrast: the shortest conjunction of features of the failing command that its fix lacks,
 * and that no call of the session has that worked. Features are the program and its sub-command, options that are there
 * or not, another command in the line, the shape of a word, a literal word, and the number of words. Names of that day
 * are no feature.
 */
import type { LiveCall } from '../../../base/model/call.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { CopiedWord } from '../../../base/shell/command-template.ts';
import { findObjectKind, isPlainWord } from '../../../base/shell/object-kind.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { dropHidden, toRecordedView } from '../../../base/triggers/call-view.ts';
import { checkTriggers } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, TextTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { isCopy, type Learned } from '../../episodes/learn-template.ts';

export interface RepairCalls {
  readonly failing: LiveCall;
  readonly fixing: LiveCall;
  /** Calls that worked. */
  readonly worked: readonly LiveCall[];
}

/** More features than that describe one call. */
const MAX_FEATURES = 3;

export function findContrast(learned: Learned, { failing, fixing, worked }: RepairCalls): Triggers | undefined {
  const base = toBase(learned);
  if (base === undefined) return undefined;
  const isApart = (triggers: Triggers): boolean =>
    holds(triggers, failing) && !holds(triggers, fixing) && !worked.some((call) => holds(triggers, call, true));
  const features = listFeatures(learned);
  if (isApart(base)) return base;
  const single = features.map((feature) => join(base, feature)).find(isApart);
  if (single !== undefined) return single;
  for (let n = 2; n <= Math.min(MAX_FEATURES, features.length); n++) {
    const several = features.slice(0, n).reduce(join, base);
    if (isApart(several)) return several;
  }
  return undefined;
}

/** `isSure`: only commands whose exit code the line does not hide. */
export function holds(
  triggers: Triggers,
  call: Pick<LiveCall, 'tool' | 'rawTool' | 'command'>,
  isSure = false,
): boolean {
  const view = toRecordedView(call);
  return checkTriggers(triggers, {}, isSure ? dropHidden(view) : view, { callOnly: true }).holds;
}

/** The program and the words of its own; for a script of any name, the form of its name. */
function toBase({ failed, head, literal, step }: Learned): Triggers | undefined {
  if (literal[head]) {
    const own = failed.args.filter(({ text }, i) => literal[head + 1 + i] && !isOption(text)).map(({ value }) => value);
    const sub = toPositionals(failed).slice(0, own.length);
    const isSub = sub.length > 0 && String(sub) === String(own);
    return { tools: ['shell'], programs: [{ name: failed.program, ...(isSub ? { sub } : {}) }] };
  }
  const form = step.of[head];
  if (form === undefined || typeof form === 'string') return undefined;
  const { begins = '', ends = '' } = form;
  const inner = begins === '' ? '[^\\s/]*' : '\\S*';
  return { tools: ['shell'], command: { match: [`^${toLiteral(begins)}${inner}${toLiteral(ends)}(?:\\s|$)`] } };
}

interface Feature {
  readonly args?: { readonly all?: readonly string[]; readonly none?: readonly string[] };
  readonly words?: number;
  readonly command?: TextTrigger;
  readonly line?: TextTrigger;
  readonly without?: ProgramTrigger;
}

/** The features by which the failing command differs from its fix, those that tell most first. */
function listFeatures(learned: Learned): readonly Feature[] {
  const { failed, made, step, words, head, literal, copied } = learned;
  const had = failed.args.map(({ value }) => value);
  const countShared = (one: SimpleCommand): number => one.args.filter(({ value }) => had.includes(value)).length;
  const alike = made.filter(({ program }) => program === failed.program);
  const same = alike.toSorted((a, b) => countShared(b) - countShared(a))[0] ?? made.at(-1);
  const has = same?.args.map(({ value }) => value) ?? [];
  const gone = failed.args.flatMap(({ value, text }, i) =>
    has.includes(value) || copied[head + 1 + i] || !isPlainWord(text) ? [] : [value],
  );
  const come = has.filter((word) => !had.includes(word) && isPlainWord(word));
  const [isBare, isBareFix] = [failed, same].map(
    (one) => one === undefined || toPositionals(one).length <= countSub(learned),
  );
  const isOwn = (word: string): boolean => findObjectKind({ text: word, value: word }) === undefined;
  const isVerb = (word: string): boolean => !isOption(word) && step.of.includes(word);
  const wrapper = step.make.at(-1)?.[0]?.[0];
  return [
    ...gone.filter(isOption).map((word) => ({ args: { all: [word] } })),
    ...come.filter((word) => isOption(word) && isConstant(word, learned)).map((word) => ({ args: { none: [word] } })),
    ...made.flatMap((one) => (one.program === failed.program ? [] : [{ without: toAdded(one) }])),
    ...(made.length > 1
      ? made.flatMap((one) => (one === same || one.program !== failed.program ? [] : [{ without: toAdded(one) }]))
      : []),
    ...listShapes(learned),
    ...(typeof wrapper === 'string' && isPlainWord(wrapper) && made.length === 1 && wrapper !== words[0]
      ? [{ line: { unless: [`(?:^|[\\s;&|(])${toLiteral(wrapper)}\\s`] } }]
      : []),
    ...(isBare && !isBareFix
      ? [{ command: { match: [`^\\S+(?:\\s+[^\\s-]\\S*){${countSub(learned)}}(?:\\s+-\\S*)*$`] } }]
      : []),
    ...gone.filter((word) => isVerb(word)).map((word) => ({ args: { all: [word] } })),
    ...(had.length < has.length ? [{ command: { match: [`^\\S+(?:\\s+\\S+){${had.length}}$`] } }] : []),
    ...come.filter((word) => !isOption(word) && isConstant(word, learned)).map((word) => ({ args: { none: [word] } })),
    ...had.filter((word) => isOption(word) && !gone.includes(word)).map((word) => ({ args: { all: [word] } })),
    ...(literal[head] && toPositionals(failed).length > countSub(learned)
      ? [{ words: toPositionals(failed).length }]
      : []),
    ...listMoved(learned, same),
    ...gone
      .filter((word) => !isVerb(word) && !isOption(word) && isOwn(word))
      .map((word) => ({ args: { all: [word] } })),
  ];
}

/** A word of the program's own that stands elsewhere in the fix: by its place. Words at the end are objects less often. */
function listMoved({ failed: { args } }: Learned, same: SimpleCommand | undefined): readonly Feature[] {
  const places = args.flatMap(({ text }, i) => {
    const isMoved = same?.args[i]?.text !== text && same?.args.some((other) => other.text === text);
    return isMoved && findObjectKind({ text, value: text }) === undefined ? [{ text, i }] : [];
  });
  return places
    .toReversed()
    .map(({ text, i }) => ({ command: { match: [`^\\S+(?:\\s+\\S+){${i}}\\s+${toLiteral(text)}(?:\\s|$)`] } }));
}

function countSub(learned: Learned): number {
  return toBase(learned)?.programs?.[0]?.sub?.length ?? 0;
}

/** Neither a copy of a word of the failing command, nor a word of the error. */
function isConstant(word: string, { step }: Learned): boolean {
  return step.make.flat().some(([source, ...others]) => source === word && others.every(isCopy));
}

function toAdded({ program, args }: Learned['failed']): ProgramTrigger {
  const [first] = args;
  const isSub = first !== undefined && /^[a-z][a-z-]*$/.test(first.text);
  return { name: program, ...(isSub ? { sub: [first.value] } : {}) };
}

/** The text that the fix takes from a word or adds to it. */
function listShapes({ step, words }: Learned): readonly Feature[] {
  return step.make.flat().flatMap(([source]): readonly Feature[] => {
    if (typeof source !== 'object' || !('copy' in source)) return [];
    const word = words[source.copy] ?? '';
    const { prefix, suffix } = source;
    const [lost, cut] = toLost(source, word);
    return [
      ...(isTelling(cut) ? [{ command: { match: [`${toLiteral(cut)}["']?(?:\\s|$)`] } }] : []),
      ...(isTelling(lost) ? [{ command: { match: [`(?:^|\\s)["']?${toLiteral(lost)}`] } }] : []),
      ...(suffix === undefined ? [] : [{ command: { unless: [`${toLiteral(suffix)}["']?(?:\\s|$)`] } }]),
      ...(prefix === undefined ? [] : [{ command: { unless: [`(?:^|\\s)["']?${toLiteral(prefix)}`] } }]),
    ];
  });
}

/** What the fix leaves out before and behind. */
export function toLost({ after, before }: CopiedWord, word: string): readonly [string, string] {
  const start =
    after === undefined ? 0 : (after.last ? word.lastIndexOf(after.at) : word.indexOf(after.at)) + after.at.length;
  const end = before === undefined ? word.length : before.last ? word.lastIndexOf(before.at) : word.indexOf(before.at);
  return [word.slice(0, start), word.slice(end)];
}

/** An ending, a scheme, the beginning of a host, or an option; not the name of a folder or file. */
export function isTelling(text: string): boolean {
  return /^--?[A-Za-z][\w-]*=$|^\.[A-Za-z]\w{0,5}$|^[a-z]{1,5}(?:\.|:\/\/)$|^\.{0,2}\/$|^\/$/.test(text);
}

function join(triggers: Triggers, { args, words, command, line, without }: Feature): Triggers {
  const [program] = triggers.programs ?? [];
  const needed: ProgramTrigger | undefined = program && {
    ...program,
    ...dropAbsent({ words: words ?? program.words }),
    ...(args === undefined
      ? {}
      : {
          args: {
            ...program.args,
            ...(args.all === undefined ? {} : { all: [...(program.args?.all ?? []), ...args.all] }),
            ...(args.none === undefined ? {} : { none: [...(program.args?.none ?? []), ...args.none] }),
          },
        }),
  };
  const exceptions = triggers.unless?.programs ?? [];
  return {
    ...triggers,
    ...(needed === undefined ? {} : { programs: [needed] }),
    ...(command === undefined ? {} : { command: joinTexts(triggers.command, command) }),
    ...(line === undefined ? {} : { line: joinTexts(triggers.line, line) }),
    ...(without === undefined ? {} : { unless: { programs: [...exceptions, without] } }),
  };
}

/** One of several patterns is enough, so the first one stays alone. */
function joinTexts(a: TextTrigger = {}, b: TextTrigger): TextTrigger {
  const match = a.match ?? b.match;
  const unless = [...(a.unless ?? []), ...(b.unless ?? [])];
  return { ...(match === undefined ? {} : { match }), ...(unless.length === 0 ? {} : { unless }) };
}
