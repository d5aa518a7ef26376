/** The one parameter in which a failed and a working call of the same tool differ, and how that is told. */

import type { LiveCall } from '../../base/model/call.ts';
import type { Signature } from '../../base/model/signature.ts';
import { findObjectKind } from '../../base/shell/object-kind.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';

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

/** A failed call, of which the store keeps less than a session. */
type Failing = Partial<Pick<LiveCall, 'command' | 'output' | 'parameters'>> & {
  readonly tool: string;
  readonly signature?: Pick<Signature, 'template'>;
};

type Parameters = Readonly<Record<string, string>>;

/** The one parameter that two calls of a tool differ in, and for which the first call failed. */
export function findChangedParameter(failing: Failing, working: LiveCall): ChangedParameter | undefined {
  const [before, after] = [failing.parameters ?? {}, working.parameters ?? {}];
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = all.filter((name) => before[name] !== after[name] && !ASIDE.test(name));
  const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(failing.output ?? '');
  if (failing.tool === 'shell') return changed.length === 1 ? toChange(changed[0] ?? '', before, after) : undefined;
  const named = changed.filter(isNamed);
  const unknown = named.find((name) => name in before && !(name in after) && isRejected(name, failing.output ?? ''));
  const [gone, come] = [changed.filter((name) => !(name in after)), changed.filter((name) => !(name in before))];
  const other = come.find((name) => before[gone[0] ?? ''] === after[name]);
  // The same value by another name.
  if (gone.length === 1 && gone[0] !== undefined && other !== undefined)
    return { name: gone[0], before: '…', instead: other };
  if (unknown !== undefined) return MISSING.test(failing.output ?? '') ? undefined : { name: unknown, before: '…' };
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

/**
 * The parameter of the shell tool that made the difference: the very same line failed without it, and got past that
 * failure with it, before any edit. What still runs in the background has got past nothing yet.
 */
export function findGivenParameter(failing: Failing, next: readonly LiveCall[]) {
  const edited = next.findIndex(({ tool }) => tool === 'edit' || tool === 'write');
  for (const [at, later] of (edited < 0 ? next : next.slice(0, edited)).entries()) {
    if (later.tool !== 'shell' || later.command?.trim() !== failing.command?.trim()) continue;
    const isOther = later.outcome === 'failure' && later.signature?.template !== failing.signature?.template;
    const changed = later.outcome === 'success' || isOther ? findChangedParameter(failing, later) : undefined;
    if (changed?.after !== undefined && later.outcomeType !== 'background') return { at, changed };
  }
  return undefined;
}

/** The error itself names the parameter to give in its place. */
const MISSING = /\b(?:required|missing)\b[^`'"\n]{0,40}[`'"]\w{1,40}[`'"]/i;

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

/** A plain word is a name or a password of that day, unless it is a switch, has the form of a constant, or the error names it. */
export function renderParameterFix({ name, before, after, instead }: ChangedParameter, output: string): string {
  const isOwn = after === undefined || toShown(after) !== after || CONSTANT.test(after) || namesWord(output, after);
  if (after !== undefined && before !== undefined && (!isOwn || toShown(after) === toShown(before)))
    return `give it another \`${name}\``;
  if (after !== undefined) return `give it \`${name}${isOwn ? `: ${toShown(after)}` : ''}\``;
  return instead === undefined ? `leave out \`${name}\`` : `give \`${name}\` as \`${instead}\``;
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
