/**
 * A tool that took the same work once a parameter was changed: a command that had to leave the sandbox, an id of the
 * wrong kind, a parameter that the tool does not have. The two calls are alike in everything else, so that the one
 * difference is the cure.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import { toCommandName, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { findObjectKind, maskObjects } from '../../../base/shell/object-kind.ts';
import { isDoing } from '../../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import type { TextTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { isVerdict } from '../../episodes/is-verdict.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toSentence } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 8;

export const changedParameter = makePairDetector({
  name: 'distill/changed-parameter@1',
  kind: 'wrong-tool-use',
  maxSteps: MAX_STEPS,
  isTrouble: ({ outcome, output, masked }) =>
    outcome === 'failure' && output !== undefined && !masked && !isVerdict(output),
  findCure(trouble) {
    const { call, calls, index, commands } = trouble;
    for (let at = index + 1; at <= index + MAX_STEPS && at < calls.length; at++) {
      const later = calls[at];
      if (later === undefined || later.rawTool !== call.rawTool || !isAlike(call, later)) continue;
      if (!hasWorked(later)) continue;
      const changed = findChangedParameter(call, later);
      const triggers = changed === undefined ? undefined : toTriggers(call, commands, changed);
      if (changed === undefined || triggers === undefined) return undefined;
      const text = toText(trouble, changed);
      return { index: at, text, triggers, intentKey: toSubject(trouble, changed), signals: ['fix-confirmed'] };
    }
    return undefined;
  },
});

/** The same command to the letter; of other tools the parameters tell. */
function isAlike(call: LiveCall, later: LiveCall): boolean {
  return call.tool !== 'shell' || (call.command !== undefined && call.command === later.command);
}

function toTriggers(
  { tool }: LiveCall,
  commands: readonly SimpleCommand[],
  changed: ChangedParameter,
): Triggers | undefined {
  const input = toParameterPattern(changed);
  if (tool !== 'shell') return { tools: [tool], input };
  const doing = findDoing(commands);
  return doing === undefined ? undefined : { tools: [tool], programs: [toProgramTrigger(doing)], input };
}

/** Of a line that does several things nobody knows which one needed it. */
function findDoing(commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  const doing = commands.filter(isDoing);
  return doing.length === 1 ? doing[0] : undefined;
}

function toText({ call, commands, toLines }: Trouble, changed: ChangedParameter) {
  const doing = findDoing(commands);
  const what = doing === undefined ? call.rawTool : toCommandName(doing);
  const shown = doing === undefined ? call.rawTool : toShortCommand(doing, 120);
  const fix = renderParameterFix(changed, call.output ?? '');
  return {
    summary: `${toClaim(what, changed)}: ${fix}`,
    mistake: `\`${shown}\`${toGiven(changed)} failed: ${toShortChars(maskObjects(call.message ?? toLines()[0] ?? ''), 120)}`,
    remediation: toSentence(fix),
    // What a tool does not have, it has nowhere.
    tags: [
      ...(doing === undefined ? [] : [`tool:${doing.program}`]),
      changed.after === undefined ? 'topic:tool-schema' : 'topic:tool-parameter',
    ],
  };
}

function toClaim(what: string, { name, before, after }: ChangedParameter): string {
  if (before === undefined) return `\`${what}\` needs \`${name}\` here`;
  return after === undefined
    ? `\`${what}\` takes no \`${name}\``
    : `\`${what}\` does not take \`${name}: ${toShown(before)}\``;
}

/** A plain word is a name or a password of that day, unless it is a switch, has the form of a constant, or the error names it. */
export function renderParameterFix({ name, before, after, instead }: ChangedParameter, output: string): string {
  const isOwn = after === undefined || toShown(after) !== after || CONSTANT.test(after) || namesWord(output, after);
  if (after !== undefined && before !== undefined && (!isOwn || toShown(after) === toShown(before)))
    return `give it another \`${name}\``;
  if (after !== undefined) return `give it \`${name}${isOwn ? `: ${toShown(after)}` : ''}\``;
  return instead === undefined ? `leave out \`${name}\`` : `give it as \`${instead}\``;
}

const CONSTANT = /^(?:true|false|yes|no|on|off|null|none|auto|default|all|\d+|[a-z]+(?:_[a-z]+)+)$/;

function namesWord(output: string, word: string): boolean {
  return word !== '' && new RegExp(`(?<![\\w-])${toLiteral(word)}(?![\\w-])`).test(output);
}

/** A value that could be one of the tool's own stands as it is; any other is told by its kind. */
function toShown(value: string): string {
  const kind = value === '…' ? undefined : findObjectKind({ value, text: value });
  return kind === undefined || /^[a-z]+(?:_[a-z]+)*$/.test(value) ? value : `<${kind}>`;
}

function toGiven({ name, before }: ChangedParameter): string {
  return before === undefined ? ` without \`${name}\`` : ` with \`${name}: ${toShown(before)}\``;
}

function toSubject({ call, commands }: Trouble, { name }: ChangedParameter): string {
  const doing = findDoing(commands);
  return `${doing === undefined ? call.rawTool.replace(/^mcp__/, '') : toCommandName(doing)} ${name}`;
}

interface ChangedParameter {
  readonly name: string;
  /** What the failing call gave; absent when it did not give it. */
  readonly before?: string;
  /** What the working call gave. */
  readonly after?: string;
  /** Of a parameter that the tool does not have: the one that the working call had in its place. */
  readonly instead?: string;
}

/** Words about the call for people, and how long it may take: never the cause. */
const ASIDE = /description|justification|explanation|reason|comment|title|timeout|_ms$|tokens$|prefix_rule|login|tty/i;
const MAX_VALUE = 60;

type Parameters = Readonly<Record<string, string>>;

/** The one parameter that two calls of a tool differ in, and for which the first call failed. */
export function findChangedParameter(failing: LiveCall, working: LiveCall): ChangedParameter | undefined {
  const [before, after] = [failing.parameters ?? {}, working.parameters ?? {}];
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = all.filter((name) => before[name] !== after[name] && !ASIDE.test(name));
  const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(failing.output ?? '');
  if (failing.tool === 'shell') return changed.length === 1 ? toChange(changed[0] ?? '', before, after) : undefined;
  const named = changed.filter(isNamed);
  const unknown = named.find((name) => name in before && !(name in after) && isRejected(name, failing.output ?? ''));
  if (unknown !== undefined) return toUnknown(unknown, failing.output ?? '', before);
  if (!sharesParameter(before, after, changed)) return undefined;
  const output = failing.output ?? '';
  const isMeant = (name: string): boolean => OF_INPUT.test(output) || namesWord(output, before[name] ?? '');
  const given = changed.filter((name) => name in before && name in after && isMeant(name));
  const culprits = named.length > 0 ? named : given;
  return culprits.length === 1 ? toChange(culprits[0] ?? '', before, after) : undefined;
}

/** The tool complains about its input, without a name. Any other error may have gone for another reason. */
const OF_INPUT = /\b(?:arguments?|parameters?|input|schema|validation)\b/i;

/** `unexpected parameter`, `unknown property`: whatever it was given. */
function isRejected(name: string, output: string): boolean {
  return new RegExp(
    `(?:unexpected|unknown|unrecogni[sz]ed|extra|additional|invalid)[^.\\n]{0,30}\\b${name}\\b`,
    'i',
  ).test(output);
}

/** The error names the parameter that is missing: of a file tool that worked nothing is kept to compare with. */
const MISSING = /\b(?:required|missing)\b[^`'"\n]{0,40}[`'"](\w{1,40})[`'"]/i;

function toUnknown(name: string, output: string, before: Parameters): ChangedParameter {
  const instead = MISSING.exec(output)?.[1];
  const isOther = instead !== undefined && instead !== name && !(instead in before);
  return { name, before: '…', ...(isOther ? { instead } : {}) };
}

/** Both calls give another parameter the same value, so they are about the same thing. */
function sharesParameter(before: Parameters, after: Parameters, changed: readonly string[]): boolean {
  return Object.keys(before).some((name) => name in after && !changed.includes(name) && before[name] === after[name]);
}

function toChange(name: string, before: Parameters, after: Parameters): ChangedParameter | undefined {
  const [was, is] = [before[name], after[name]];
  if (name === '' || ![was, is].every((value) => value === undefined || isShort(value))) return undefined;
  return { name, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
}

function isShort(value: string): boolean {
  return value !== '…' && value !== '' && value.length <= MAX_VALUE && !value.includes('\n');
}

/** Matches the JSON of an input with the wrong parameter, or without the missing one. */
function toParameterPattern({ name, before, after }: ChangedParameter): TextTrigger {
  const key = `"${toLiteral(name)}" *: *`;
  if (before === undefined) return { unless: [`${key}"?${toLiteral(after ?? '')}"?`] };
  return { match: [after === undefined ? key : `${key}"?${toValuePattern(before, after)}"?[,}]`] };
}

/** Another number of the same kind is the same mistake, unless the right value has that form too. */
function toValuePattern(wrong: string, right: string): string {
  const literal = toLiteral(JSON.stringify(wrong).slice(1, -1));
  const wide = literal.replace(/\d+/g, '\\d+');
  return new RegExp(`^${wide}$`).test(right) ? literal : wide;
}
