/**
 * Trims events and removes secrets from them, and from calls in memory; all later code works on these clean events and
 * need not think about secrets. Every text is cleaned except the fields listed here, so that a new kind of event is
 * clean by default.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { AgentEvent, EndedCall } from '../../base/model/event.ts';
import { redact } from '../../base/secrets/redaction.ts';
import { parseCommand, type ShellTool } from '../../base/shell/parse-command.ts';
import { findFacts, isKnownAs, listPrograms, listProgramsWith } from '../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { signCallLine, toFailedCall } from '../../base/text/signature.ts';
import { cleanEach, cutWindow, redactText } from './clean-texts.ts';
import { type KnownSecrets, makeCallCleaner, makeKnownSecrets } from './known-secrets.ts';
import type { SecretScan } from './scan-secrets.ts';

/** Fields with the agent's own words and keys, our own words, times and file paths. */
const KEPT = new Set([
  'agent',
  'agentVersion',
  'at',
  'by',
  'callId',
  'contextId',
  'host',
  'kind',
  'sessionId',
  'source',
  'start',
  'transcriptPath',
]);

/** Names from outside; our own rules are enough for them, and fast. */
const NAMES = new Set(['model', 'rawTool', 'startedAs', 'subagentType', 'tool']);
/** Shorter than any secret. */
const MIN_NAME = 12;

/** Texts up to this length are cached, because the same folder is in every event. */
const SHORT = 200;

/** `known`: secrets of earlier events; those of these events are added. */
export async function cleanEvents(
  given: readonly AgentEvent[],
  scan: SecretScan,
  known: KnownSecrets = makeKnownSecrets(),
): Promise<readonly AgentEvent[]> {
  const events = given.map(dropPrinted);
  const long: string[] = [];
  const short = new Set<string>();
  const note = (text: string): string => {
    if (text.length > SHORT) long.push(text);
    else short.add(text);
    return text;
  };
  const noted = events.map((event) => mapTexts(event, note));
  const texts = [...long, ...short];
  const { clean, callValues } = await cleanEach(texts, scan, known);
  const valuesOf = new Map(texts.flatMap((text, i) => (callValues[i]?.length ? [[text, callValues[i]] as const] : [])));
  const cleaners = events.map((event, i) => makeCleaner(event, noted[i] ?? event, valuesOf, known));
  // Most events contain no secret.
  const isSame = cleaners.every((cleaner) => cleaner === undefined) && texts.every((text, i) => text === clean[i]);
  if (isSame) return noted;
  const shortClean = new Map([...short].map((text, i) => [text, clean[long.length + i]]));
  let next = 0;
  const take = (text: string): string => (text.length > SHORT ? clean[next++] : shortClean.get(text)) ?? '';
  return noted.map((event, i) => {
    const cleaned = mapTexts(event, take);
    return cleaners[i]?.(cleaned) ?? cleaned;
  });
}

/**
 * Cleans one event at once, by our own rules alone: for a signature that is needed while an agent waits. What only the
 * scanner finds stays in the texts, so none of them may be stored.
 */
export function cleanForSignature(given: AgentEvent): AgentEvent {
  const values = new Set<string>();
  const cleaned = mapTexts(dropPrinted(given), (text) => {
    const redacted = redactText(text);
    for (const value of redacted.callValues) values.add(value);
    return cutWindow(redacted.text);
  });
  return values.size === 0 ? cleaned : mapTexts(cleaned, makeCallCleaner(values, listTexts(cleaned)));
}

/** Removes the output of commands whose purpose is to print a secret. */
function dropPrinted(event: AgentEvent): AgentEvent {
  if (event.kind === 'batch-ended') {
    const calls = event.calls.map(dropOutput);
    return calls.every((call, i) => call === event.calls[i]) ? event : { ...event, calls };
  }
  return event.kind === 'call-ended' || event.kind === 'background-ended' ? dropOutput(event) : event;
}

/** If the command failed, its message stays: the lines of more than one word. */
function dropOutput<T extends EndedCall>(call: T): T {
  const { input, result } = call;
  if (result.text === '' || input.command === undefined || !printsSecret(input.command, call)) return call;
  const hasFailed = result.isError || (result.exitCode ?? 0) !== 0;
  const text = hasFailed ? result.text.replace(/^[ \t]*[^\s]{4,}[ \t]*$/gm, PRINTED) : PRINTED;
  return { ...call, result: { ...result, text } };
}

const PRINTED = '[redacted:secret-output]';

/**
 * Returns a function that removes the secrets that one text of a call revealed from its other texts. Undefined if no
 * text revealed any, which is nearly always.
 */
function makeCleaner(
  event: AgentEvent,
  noted: AgentEvent,
  valuesOf: ReadonlyMap<string, readonly string[]>,
  known: KnownSecrets,
): ((cleaned: AgentEvent) => AgentEvent) | undefined {
  // The end of a background task does not contain the command.
  const callId = 'callId' in event ? event.callId : '';
  const values = new Set(known.listOfCall(callId));
  if (valuesOf.size > 0)
    for (const text of listTexts(noted)) for (const value of valuesOf.get(text) ?? []) values.add(value);
  if (values.size === 0) return undefined;
  if (callId !== '') known.addOfCall(callId, values);
  return (cleaned) => {
    // Folder and branch identify the project, and no command writes its password there.
    const { cwd, branch } = cleaned;
    const after = mapTexts(cleaned, makeCallCleaner(values, listTexts(cleaned)));
    return { ...after, ...(cwd === undefined ? {} : { cwd }), ...(branch === undefined ? {} : { branch }) };
  };
}

function listTexts(event: AgentEvent): readonly string[] {
  const texts: string[] = [];
  mapTexts(event, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Returns the value with its texts mapped; the same object if none changes, which is nearly always. */
function mapTexts<T>(value: T, map: (text: string) => string): T;
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  const before = value as Readonly<Record<string, unknown>>;
  let after: Record<string, unknown> | undefined;
  for (const key of Object.keys(before)) {
    const inner = KEPT.has(key) ? before[key] : NAMES.has(key) ? cleanName(before[key]) : mapTexts(before[key], map);
    if (inner !== before[key]) after = { ...(after ?? before), [key]: inner };
  }
  return after ?? before;
}

/** The same few names are in every event. */
const cleanNames = new Set<string>();
const MAX_NAMES = 200;

function cleanName(name: unknown): unknown {
  if (typeof name !== 'string' || name.length < MIN_NAME || cleanNames.has(name)) return name;
  const clean = redact(name);
  if (cleanNames.size >= MAX_NAMES) cleanNames.clear();
  if (clean === name) cleanNames.add(name);
  return clean;
}

const CALL_TEXTS = [
  'command',
  'output',
  'message',
  'inputSummary',
  'outputSummary',
  'targetPath',
  'intentKey',
] as const;

/** Removes values from a call in memory that later turned out to be secret. The same object if it contains none. */
export function cleanCall(call: LiveCall, clean: (text: string) => string): LiveCall {
  let cleaned = call;
  for (const field of CALL_TEXTS) {
    const text = call[field];
    const after = text === undefined ? undefined : clean(text);
    if (after !== undefined && after !== text) cleaned = { ...cleaned, [field]: after };
  }
  // A signature is made from the message, so it has to be made again.
  if (call.signature !== undefined && cleaned.message !== undefined && cleaned.message !== call.message)
    cleaned = { ...cleaned, signature: signCallLine(toFailedCall(cleaned), cleaned.message) };
  const parameters = Object.entries(call.parameters ?? {}).map(([name, text]) => [name, clean(text)] as const);
  const isChanged = parameters.some(([name, text]) => text !== call.parameters?.[name]);
  return isChanged ? { ...cleaned, parameters: Object.fromEntries(parameters) } : cleaned;
}

const SECRET_NAME =
  /^(?:\$(?:\{?|env:))?\w*(?:PASS|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?)(?:_\d+)?\}?$/i;

/** A command without one of these words is not parsed. */
const HINT = new RegExp(
  `(?<![\\w-])(?:${[...listProgramsWith('secrets'), ...listPrograms('prints'), 'printenv'].join('|')})(?![\\w-])`,
  'i',
);

/**
 * Does the command print a secret, or an output that may contain one in no known format? The catalogue of programs
 * lists the words that make a program print secrets (`secrets` in `base/shell/programs/vocabulary.ts`).
 */
export function printsSecret(command: string, shell: ShellTool): boolean {
  if (!HINT.test(command)) return false;
  const commands = parseCommand(dropSubstitutions(command), shell);
  return commands.some((one, i) => isPrinter(one) && isShown(one, commands, i));
}

/** The output of `$(…)` becomes a word of another command. If that is `echo`, it is printed. */
function dropSubstitutions(command: string): string {
  return command
    .replace(/(?<![\w-])(?:echo|printf)[ \t]{1,4}["']?\$\(([^()\n]{1,400})\)["']?/g, '$1')
    .replace(/\$\([^()\n]{0,1000}\)|`[^`\n]{0,1000}`/g, '_');
}

function isPrinter({ program, args }: SimpleCommand): boolean {
  if (program === 'printenv' || isKnownAs(program, 'prints'))
    return args.some(({ value, text }) => isSecretName(program, value, text));
  const words = args.map(({ value }) => value);
  return findFacts(program)?.secrets?.some((row) => holdsInOrder(words, row.split(' '))) ?? false;
}

/** `printenv` takes the plain name; other programs need a `$`. */
function isSecretName(program: string, value: string, text: string): boolean {
  if (program === 'printenv') return SECRET_NAME.test(value);
  return /^["']?\$/.test(text) && !text.startsWith("'") && SECRET_NAME.test(value);
}

/** `--to=x` matches `--to`, `secret/shop` matches `secret`. */
function holdsInOrder(words: readonly string[], row: readonly string[]): boolean {
  let next = 0;
  for (const word of words) {
    const wanted = row[next] ?? '';
    if (wanted === '') break;
    if (word === wanted || word.startsWith(`${wanted}=`) || word.startsWith(`${wanted}/`)) next += 1;
  }
  return next >= row.filter((word) => word !== '').length;
}

/** Is the secret printed, and not written to a file, a variable or a program that keeps it? */
function isShown(one: SimpleCommand, commands: readonly SimpleCommand[], at: number): boolean {
  if (/(?<![\d&])>{1,2}\s*(?!&|\/dev\/(?:stdout|stderr|tty))/.test(one.text)) return false;
  for (const later of commands.slice(at + 1)) {
    if (later.piped !== true) return true;
    if (!isKnownAs(later.program, 'filters', 'interpreter')) return false;
  }
  return true;
}

/** At each end; more than a summary needs. */
const SHOWN_CHARS = 600;
const HASHED_CHARS = 1024;

/**
 * Trims events before the costly redaction: drops the middle of the output of successful file tools and the text that
 * they wrote, and keeps short parameters by name. Later code needs only the hash of a whole input. Every cut drops the
 * words that it goes through, because redaction does not recognize half a secret.
 */
export function trimEvents(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.map((event) => {
    if (event.kind === 'batch-ended') return { ...event, calls: event.calls.map(trimCall) };
    return event.kind === 'call-ended' || event.kind === 'background-ended' ? trimCall(event) : event;
  });
}

function trimCall<T extends EndedCall>(call: T): T {
  const { content: _, more: __, json, ...rest } = call.input;
  const text = isRead(call) ? call.result.text : cutWindow(call.result.text, SHOWN_CHARS);
  const parameters = toParameters(call);
  const input = { ...rest, json: cutWindow(json, HASHED_CHARS), ...(parameters === undefined ? {} : { parameters }) };
  return { ...call, input, result: { ...call.result, text } };
}

/** Is the whole output needed? For failures, and for commands, which may hide a failure. */
function isRead({ tool, result }: EndedCall): boolean {
  return tool === 'shell' || tool.startsWith('mcp:') || result.isError || (result.exitCode ?? 0) !== 0;
}

const MAX_VALUE_CHARS = 120;
const MAX_PARAMETERS = 24;
const LONG_VALUE = '…';
/** Names are not redacted, so only plain ones are kept. */
const PARAMETER_NAME = /^[A-Za-z_][\w.-]{0,59}$/;
/** Parameters that the call has in other fields. */
const OTHER_FIELDS = new Set(['command', 'cmd']);

/**
 * A tool's short parameters by name, because the parameter that changed between a failed call and a successful one is a
 * lesson. Long ones are the work itself; only their presence is noted.
 */
export function toParameters({ tool, input, result }: EndedCall): Readonly<Record<string, string>> | undefined {
  // A successful file tool has nothing to teach here, and its input may be a whole file.
  if (tool !== 'shell' && !tool.startsWith('mcp:') && !result.isError) return undefined;
  const given = { ...parseObject(input.json), ...parseObject(input.more ?? '') };
  const names = Object.keys(given).filter((name) => PARAMETER_NAME.test(name) && !OTHER_FIELDS.has(name));
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.slice(0, MAX_PARAMETERS).map((name) => [name, toText(given[name])]));
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  if (!json.startsWith('{')) return {};
  try {
    return JSON.parse(json) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_VALUE_CHARS ? LONG_VALUE : text;
}
