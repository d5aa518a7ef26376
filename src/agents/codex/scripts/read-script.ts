/**
 * Finds the tool calls of a Codex code-mode script from its source and its output. A call is reported if every way
 * through the script that fits the output makes it; its end is reported if all of these ways agree.
 */
import { type Program, parse } from 'acorn';
import { dropAbsent, isRecord } from '../../../base/records.ts';
import { type Course, followWay, type ScriptOutput, type Way, type WayCall } from './follow-way.ts';
import type { Facts } from './match-output.ts';
import { findPlain, type Value } from './values.ts';

export interface ScriptCall {
  /** Unique in the script, and the same at every reading. */
  readonly id: string;
  readonly tool: string;
  /** The input of the tool: a text or an object. Of an object, only the known entries. */
  readonly input: string | Readonly<Record<string, unknown>>;
  /** The input is complete. */
  readonly isComplete: boolean;
  /** The source of the call in the script. */
  readonly source: string;
  readonly end: ScriptEnd;
}

export interface ScriptEnd {
  readonly how: 'resolved' | 'rejected' | 'cancelled' | 'unknown';
  readonly exitCode?: number;
  /** For a command that continues after the script: the number by which later calls name it. */
  readonly sessionId?: string;
  readonly durationMs?: number;
  /** Its output, or the text it was rejected with, as far as the script showed it. */
  readonly text?: string;
  /** A tool of a server stated whether it failed. */
  readonly isError?: boolean;
}

export interface ScriptRead {
  readonly calls: readonly ScriptCall[];
  /** The id of the call whose rejection ended the script. */
  readonly failedId?: string;
  /** The number of calls that the script may have made. */
  readonly unsure: number;
}

/** Far more than a model writes. */
const MAX_SOURCE_CHARS = 200_000;
const MAX_SOURCE_SHOWN = 1_000;
const MAX_WAYS = 64;
const MAX_STEPS = 60_000;
const NOTHING: ScriptRead = { calls: [], unsure: 0 };

/** Never throws: a script that is invalid, too large or not understood makes no calls. */
export function readScript(source: string, output: ScriptOutput): ScriptRead {
  const code = source.replace(PRAGMA, '');
  const program = parseScript(code);
  if (program === undefined) return NOTHING;
  const errorPlace = findErrorPlace(code, output.error);
  try {
    return toRead(code, output, findWays({ program, output, errorPlace }));
  } catch (error) {
    // Values may be nested too deeply for the stack.
    if (error instanceof RangeError) return NOTHING;
    throw error;
  }
}

/** Codex removes this line before it runs the script. */
const PRAGMA = /^\s*\/\/ ?@exec:[^\n]*\n/;

function parseScript(code: string): Program | undefined {
  if (code.length > MAX_SOURCE_CHARS) return undefined;
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch {
    return undefined;
  }
}

const PLACE = /\n\s+at (?:\S+ \(?)?exec_main\.mjs:(\d+):(\d+)/;

function findErrorPlace(code: string, error: string | undefined): number | undefined {
  const [, line, column] = PLACE.exec(error ?? '') ?? [];
  if (line === undefined || column === undefined) return undefined;
  const before = code.split('\n').slice(0, Number(line) - 1);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + Number(column) - 1;
}

interface Ways {
  readonly ways: readonly Way[];
  /** What the script certainly did: every way that may be the real one, or the beginning that all of them share. */
  readonly certain: readonly Way[];
  /** No way fitted the output, so these are the ways through the script whatever it printed. */
  readonly isBlind: boolean;
}

type WayCourse = Omit<Course, 'plan' | 'budget' | 'isBeginning'>;

function findWays(given: Omit<WayCourse, 'mode'>): Ways {
  const course: WayCourse = { ...given, mode: 'fit' };
  const { ways, untried } = tryWays(course);
  const fits = preferQuoted(ways.filter(({ isFit }) => isFit));
  if (fits.length > 0) return { ways: fits, certain: toCertain(course, fits, untried), isBlind: false };
  const blindCourse: WayCourse = { ...given, mode: given.output.status === 'completed' ? 'blind' : 'prefix' };
  const blind = tryWays(blindCourse);
  const most = Math.max(0, ...blind.ways.map(({ matched }) => matched));
  const best = blind.ways.filter(({ matched }) => matched === most);
  return { ways: best, certain: toCertain(blindCourse, best, blind.untried), isBlind: true };
}

/** The error shows which call it is about, if all calls that could be meant are known. */
function preferQuoted(ways: readonly Way[]): readonly Way[] {
  return ways.some(({ isQuoted }) => isQuoted === 'yes') ? ways.filter(({ isQuoted }) => isQuoted !== 'no') : ways;
}

type Plan = Course['plan'];

interface Tried {
  readonly ways: readonly Way[];
  /** The plans that were left when the bounds were reached. */
  readonly untried: readonly Plan[];
}

function tryWays(course: WayCourse): Tried {
  const budget = { left: MAX_STEPS };
  const plans: Plan[] = [[]];
  const ways: Way[] = [];
  while (plans.length > 0 && ways.length < MAX_WAYS && budget.left > 0) {
    const plan = plans.shift() ?? [];
    const way = followWay({ ...course, plan, budget });
    ways.push(way);
    const taken = toTaken(way);
    for (let at = plan.length; at < taken.length; at++) plans.push([...taken.slice(0, at), !taken[at]]);
  }
  return { ways, untried: plans };
}

function toTaken({ choices }: Way): Plan {
  return choices.map(({ isTaken }) => isTaken);
}

/** An untried way may be the real one, so only the choices that the untried ways share with the others are certain. */
function toCertain(course: WayCourse, ways: readonly Way[], untried: readonly Plan[]): readonly Way[] {
  if (untried.length > 0) {
    const plan = [...ways.map(toTaken), ...untried].reduce(toCommonPlan);
    return [followWay({ ...course, plan, budget: { left: MAX_STEPS }, isBeginning: true })];
  }
  // A loop that was left after some rounds; a way with more rounds shows nothing new.
  const ended = ways.filter(({ end }) => end !== 'budget' && end !== 'not understood');
  return ended.length > 0 ? ended : ways;
}

function toCommonPlan(a: Plan, b: Plan): Plan {
  const differs = a.findIndex((isTaken, at) => isTaken !== b[at]);
  return differs === -1 ? a : a.slice(0, differs);
}

interface Judged {
  readonly way: Way;
  /** Call id -> number of the call. The id is the place in the script plus how often the way has passed it. */
  readonly numbers: ReadonlyMap<string, number>;
}

function toRead(code: string, output: ScriptOutput, { ways, certain, isBlind }: Ways): ScriptRead {
  const judged = certain.map(toJudged);
  const tried = ways.map(toJudged);
  const ids = new Set([...judged, ...tried].flatMap(({ numbers }) => [...numbers.keys()]));
  const sure = [...ids].filter((id) => judged.every((one) => isMade(id, one, output, isBlind)));
  const maybe = [...ids].filter((id) => !sure.includes(id) && tried.some((one) => mayBeMade(id, one)));
  const calls = sure.map((id) => toCall(id, code, judged, { output, isBlind }));
  const failed = new Set(judged.map(({ way, numbers }) => findId(numbers, way.failedCall)));
  const [failedId] = failed.size === 1 ? failed : [];
  return { calls, unsure: maybe.length, ...dropAbsent({ failedId }) };
}

function toJudged(way: Way): Judged {
  return { way, numbers: toNumbers(way) };
}

function toNumbers({ calls }: Way): ReadonlyMap<string, number> {
  const passed = new Map<number, number>();
  return new Map(
    calls.map(({ site }, number) => {
      const times = passed.get(site) ?? 0;
      passed.set(site, times + 1);
      return [times === 0 ? `${site}` : `${site}.${times}`, number];
    }),
  );
}

function findId(numbers: ReadonlyMap<string, number>, number: number | undefined): string | undefined {
  for (const [id, one] of numbers) if (one === number) return id;
  return undefined;
}

/** Calls that the script does not wait for are dropped if it ends before its next wait. */
function isMade(id: string, { way, numbers }: Judged, output: ScriptOutput, isBlind: boolean): boolean {
  const call = way.calls[numbers.get(id) ?? -1];
  if (call === undefined || call.isMaybe || call.tool === '') return false;
  if (call.tasks.some((task) => !way.endedTasks.has(task))) return false;
  if (isBlind && output.status !== 'completed') return call.texts < way.matched;
  const isOver = output.status === 'completed' || output.status === 'failed';
  return isOver ? call.waits < way.waits : call.waits <= way.textWaits;
}

/** Except dropped calls. */
function mayBeMade(id: string, { way, numbers }: Judged): boolean {
  const call = way.calls[numbers.get(id) ?? -1];
  return call !== undefined && call.waits < way.waits;
}

function toCall(
  id: string,
  code: string,
  judged: readonly Judged[],
  { output, isBlind }: { readonly output: ScriptOutput; readonly isBlind: boolean },
): ScriptCall {
  const ends = judged.map(({ way, numbers }) => {
    const number = numbers.get(id) ?? -1;
    const call = way.calls[number] as WayCall;
    return { tool: call.tool, ...toInput(call), end: toEnd(way, number, call, output, isBlind), site: call.site };
  });
  const [first] = ends as [(typeof ends)[number]];
  const isSameInput = ends.every(({ input }) => JSON.stringify(input) === JSON.stringify(first.input));
  return {
    id,
    tool: first.tool,
    input: isSameInput ? first.input : {},
    isComplete: isSameInput && first.isComplete,
    source: toSource(code, first.site),
    end: ends.map(({ end }) => end).reduce(toCommonEnd),
  };
}

/** What both ways agree on. */
function toCommonEnd(a: ScriptEnd, b: ScriptEnd): ScriptEnd {
  if (a.how !== b.how) return { how: 'unknown' };
  const common = Object.entries(a).filter(([name, value]) => b[name as keyof ScriptEnd] === value);
  return Object.fromEntries(common) as unknown as ScriptEnd;
}

/** From the call to the end of its statement or line. */
function toSource(code: string, site: number): string {
  const rest = code.slice(site, site + MAX_SOURCE_SHOWN);
  const end = rest.search(/;|\n\n/);
  return end === -1 ? rest : rest.slice(0, end);
}

function toInput({ args: [input] }: WayCall): Pick<ScriptCall, 'input' | 'isComplete'> {
  if (input === undefined) return { input: {}, isComplete: true };
  const plain = findPlain(input);
  if (typeof plain?.value === 'string') return { input: plain.value, isComplete: true };
  if (plain !== undefined && isRecord(plain.value)) return { input: plain.value, isComplete: true };
  const entries = input.kind === 'dict' ? [...input.entries] : [];
  const known = entries.flatMap(([name, entry]): [string, unknown][] => {
    const found = findPlain(entry);
    return found === undefined ? [] : [[name, found.value]];
  });
  return { input: Object.fromEntries(known), isComplete: false };
}

function toEnd(way: Way, number: number, call: WayCall, output: ScriptOutput, isBlind: boolean): ScriptEnd {
  if (isBlind) return { how: 'unknown' };
  const facts = way.findings.get(number);
  if (facts?.failure !== undefined) return { how: 'rejected', text: facts.failure };
  const isOver = output.status === 'completed' || output.status === 'failed';
  const isPassed = isOver || call.settledTexts < way.matched;
  if (call.settle === 'rejected') return { how: isPassed ? 'rejected' : 'unknown' };
  const isResolved = call.settle === 'resolved' || facts?.fields.get('status') === 'fulfilled';
  if (!isResolved || !isPassed) return { how: output.status === 'terminated' ? 'cancelled' : 'unknown' };
  return toResolved(facts, way, number);
}

/** If the script itself kept writing to a command, the end of that is the command's end. */
function toResolved(facts: Facts | undefined, way: Way, number: number): ScriptEnd {
  const own = toFieldEnd(facts);
  if (own.exitCode !== undefined) return own;
  const later = way.calls.flatMap((call, at) =>
    isStdinCall(call, way, number) ? [toFieldEnd(way.findings.get(at))] : [],
  );
  const last = later.findLast(({ exitCode }) => exitCode !== undefined);
  if (last?.exitCode === undefined) return own;
  const text = [own.text, last.text].filter((part) => part !== undefined).join('');
  return { how: 'resolved', exitCode: last.exitCode, text };
}

function isStdinCall({ tool, args: [input] }: WayCall, way: Way, number: number): boolean {
  const session = tool === 'write_stdin' && input?.kind === 'dict' ? input.entries.get('session_id') : undefined;
  if (session === undefined) return false;
  if (session.kind === 'field') return isSessionOf(session, way, number);
  const known = way.findings.get(number)?.fields.get('session_id');
  return session.kind === 'known' && known !== undefined && String(session.value) === String(known);
}

/** The number is the command's own, or was returned by an earlier look at it. */
function isSessionOf({ call, name }: Extract<Value, { kind: 'field' }>, way: Way, number: number): boolean {
  if (name !== 'session_id') return false;
  const stdinCall = way.calls[call];
  return call === number || (stdinCall !== undefined && call > number && isStdinCall(stdinCall, way, number));
}

function toFieldEnd(facts: Facts | undefined): ScriptEnd {
  const fields = facts?.fields;
  const [code, session, seconds] = ['exit_code', 'session_id', 'wall_time_seconds'].map((name) => fields?.get(name));
  const output = fields?.get('output') ?? facts?.shown.join('\n');
  const isError = fields?.get('isError');
  return {
    how: 'resolved',
    ...(typeof code === 'number' ? { exitCode: code } : {}),
    ...(typeof session === 'number' && typeof code !== 'number' ? { sessionId: String(session) } : {}),
    ...(typeof seconds === 'number' ? { durationMs: Math.round(seconds * 1000) } : {}),
    ...(typeof output === 'string' && output !== '' ? { text: output } : {}),
    ...(typeof isError === 'boolean' ? { isError } : {}),
  };
}
