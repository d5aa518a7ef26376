/**
 * Follows one way through a script: the calls it makes, and how far its texts fit the output of the real run. The
 * output shows on the way what the results of calls were, and so which way the script took.
 */
import type { Program } from 'acorn';
import { resolveField } from './expressions.ts';
import { type ScriptHost, ScriptThrow, toPromise, WayEnd } from './machine.ts';
import { type Findings, getFacts, isErrorOfTool, matchBlock, matchCut } from './match-output.ts';
import { runScript } from './run-script.ts';
import { findTruth, toError, toList, UNKNOWN, type Value } from './values.ts';

/** The output of a script as the model received it. */
export interface ScriptOutput {
  readonly status: 'completed' | 'failed' | 'terminated' | 'running';
  /** One for each text that the script printed; undefined for an image. */
  readonly blocks: readonly (string | undefined)[];
  /** Why the script failed. */
  readonly error?: string;
  /** The output was too long, so Codex joined the texts and cut out the middle. */
  readonly isCut?: boolean;
}

export interface WayCall {
  readonly tool: string;
  readonly args: readonly Value[];
  readonly site: number;
  /** The number of texts and waits before the call. */
  readonly texts: number;
  readonly waits: number;
  /** In a loop that may not have run at all. */
  readonly isMaybe: boolean;
  /** The tasks in which the call was made after a wait; it is certain only if the script waited for them. */
  readonly tasks: readonly number[];
  settle: 'pending' | 'resolved' | 'rejected';
  /** The number of texts printed before the script continued after the call. */
  settledTexts: number;
}

interface Choice {
  readonly isTaken: boolean;
  readonly condition: Value;
}

export interface Way {
  readonly calls: readonly WayCall[];
  readonly choices: readonly Choice[];
  readonly findings: Findings;
  /** Tasks that the script waited for until they had ended. */
  readonly endedTasks: ReadonlySet<number>;
  readonly isFit: boolean;
  /** The number of texts that fitted. */
  readonly matched: number;
  readonly waits: number;
  /** The number of waits before the last text that fitted. */
  readonly textWaits: number;
  /** The call whose rejection ended the script. */
  readonly failedCall?: number;
  /** The error quotes the input of that call. */
  readonly isQuoted: 'yes' | 'no' | 'unknown';
  readonly end: 'completed' | 'threw' | WayEnd['reason'];
}

export interface Course {
  readonly program: Program;
  readonly output: ScriptOutput;
  /** The first choices; later ones are `true`. */
  readonly plan: readonly boolean[];
  /** The place in the script where JavaScript failed. */
  readonly errorPlace?: number | undefined;
  /** `blind`: compares nothing. `prefix`: the output may end anywhere. */
  readonly mode: 'fit' | 'blind' | 'prefix';
  /** The steps left for all ways of the script together. */
  readonly budget: { left: number };
  /** Follows the way only to the first choice that the plan does not have. */
  readonly isBeginning?: boolean;
}

/** Their results are objects with fields of their own. */
const COMMANDS = new Set(['exec_command', 'write_stdin']);
const MAX_CALLS = 300;
const MAX_CHOICES = 40;

export function followWay(course: Course): Way {
  const { program, output, plan, errorPlace, budget } = course;
  const { blocks } = output;
  const isPrefix = course.mode === 'prefix' || output.status === 'running' || output.status === 'terminated';
  const calls: WayCall[] = [];
  const choices: Choice[] = [];
  const findings: Findings = new Map();
  const texts: Value[] = [];
  let group: Value[] = [];
  let isBlind = course.mode === 'blind' || output.isCut === true;
  let matched = 0;
  let waits = 0;
  let textWaits = 0;
  let repeats = 0;
  let maybes = 0;
  /** The nested tasks that are being followed: their number, and the waits before them. */
  const tasks: { readonly task: number; readonly waits: number }[] = [];
  const endedTasks = new Set<number>();
  let taskCount = 0;

  const takeBlocks = (count: number): readonly (string | undefined)[] => {
    const next = blocks.slice(matched, matched + count);
    if (next.length < count) throw new WayEnd(isPrefix ? 'stopped' : 'misfit');
    matched += count;
    textWaits = waits;
    return next;
  };
  const check = (isFit: boolean): void => {
    if (!isFit) throw new WayEnd('misfit');
  };
  /** Texts of parallel tasks appear in the order in which the tasks ended. */
  const matchGroup = (): void => {
    if (group.length === 0) return;
    const [values, found] = [group, takeBlocks(group.length)];
    group = [];
    check(matchUnordered(values, found, findings));
  };
  const rejects = (call: WayCall): boolean => {
    const mayReject = host.tryDepth > 0 || isToolError(output);
    return mayReject && !host.choose({ kind: 'field', call: calls.indexOf(call), name: 'status' });
  };
  const settleCall = (number: number): Value => {
    const call = calls[number];
    if (call === undefined) return UNKNOWN;
    waits++;
    if (call.settle === 'pending') {
      call.settle = rejects(call) ? 'rejected' : 'resolved';
      call.settledTexts = matched;
    }
    if (call.settle === 'rejected') throw new ScriptThrow({ kind: 'failure', call: number, tool: call.tool });
    return { kind: 'result', call: number, isCommand: COMMANDS.has(call.tool) };
  };

  const waitForAll = (list: Extract<Value, { kind: 'list' }>): Value => {
    const open = calls.filter(({ settle }) => settle === 'pending');
    try {
      const values = list.items.map((item) => host.wait(item));
      return list.isOpen === true ? list : toList(values);
    } catch (error) {
      if (error instanceof ScriptThrow && list.items.length > 1) loseTrack(list.items, open);
      throw error;
    }
  };
  /** One task failed and the script continued at once, so it is unknown how far the others got. */
  const loseTrack = (items: readonly Value[], open: readonly WayCall[]): void => {
    for (const item of items) if (item.kind === 'promise' && item.task !== undefined) endedTasks.delete(item.task);
    for (const call of open) if (call.settle === 'resolved') call.settle = 'pending';
    if (taskCount > 0) isBlind = true;
    group = [];
  };

  const host: ScriptHost = {
    tryDepth: 0,
    callTool(tool, args, site) {
      if (calls.length >= MAX_CALLS) throw new WayEnd('budget');
      const made = { texts: matched, waits, isMaybe: maybes > 0, settledTexts: 0 };
      const behind = tasks.filter((one) => waits > one.waits).map(({ task }) => task);
      calls.push({ tool, args, site, tasks: behind, settle: 'pending', ...made });
      return { kind: 'pending', call: calls.length - 1 };
    },
    wait(value) {
      if (value.kind === 'pending') return settleCall(value.call);
      if (value.kind !== 'promise') return value;
      if (value.task !== undefined) endedTasks.add(value.task);
      if (value.isRejected === true) throw new ScriptThrow(value.of);
      if (value.of.kind === 'list') return waitForAll(value.of);
      if (value.of.kind === 'unknown') waits++;
      return host.wait(value.of);
    },
    settle(value) {
      if (value.kind !== 'pending') return UNKNOWN;
      waits++;
      const call = calls[value.call];
      if (call === undefined) return UNKNOWN;
      call.settledTexts = matched;
      return { kind: 'settled', call: value.call, tool: call.tool };
    },
    print(value) {
      if (repeats > 0) isBlind = true;
      texts.push(value);
      if (isBlind) return;
      const [task] = tasks;
      if (task !== undefined && waits > task.waits) {
        group.push(value);
        return;
      }
      matchGroup();
      const [block] = takeBlocks(1);
      check(block === undefined ? value.kind === 'unknown' : matchBlock(value, block, findings));
    },
    choose(condition) {
      if (choices.length >= MAX_CHOICES) throw new WayEnd('budget');
      if (course.isBeginning === true && choices.length >= plan.length) throw new WayEnd('stopped');
      const isTaken = plan[choices.length] ?? true;
      choices.push({ isTaken, condition });
      if (condition.kind === 'test' && isTaken !== condition.not)
        getFacts(condition.call, findings).fields.set(condition.name, condition.equals);
      return isTaken;
    },
    step() {
      if (budget.left-- <= 0) throw new WayEnd('budget');
    },
    repeat(run, isSure) {
      repeats++;
      maybes += isSure ? 0 : 1;
      try {
        run();
      } finally {
        repeats--;
        maybes -= isSure ? 0 : 1;
      }
    },
    inTask(run) {
      const task = taskCount++;
      tasks.push({ task, waits });
      try {
        return { ...toPromise(run), task };
      } finally {
        tasks.pop();
      }
    },
    checkPlace(place) {
      if (place === errorPlace && host.tryDepth === 0 && host.choose(UNKNOWN)) throw new ScriptThrow(UNKNOWN);
    },
    mayThrow(value) {
      const isAbsent = value.kind === 'known' && value.value == null;
      if (isAbsent || (mayBeAbsent(value) && host.tryDepth > 0 && !host.choose(UNKNOWN)))
        throw new ScriptThrow(toError(UNKNOWN));
    },
    findField(call, name) {
      const fields = findings.get(call)?.fields;
      return fields?.has(name) === true ? { value: fields.get(name) } : undefined;
    },
  };

  const { end, thrown } = runToEnd(program, host, matchGroup);
  if (output.isCut === true && course.mode === 'fit') matchCutOutput(output, texts, findings);
  const failedCall = thrown?.kind === 'failure' ? thrown.call : undefined;
  if (failedCall !== undefined && output.error !== undefined) getFacts(failedCall, findings).failure ??= output.error;
  return {
    calls,
    choices,
    findings,
    endedTasks,
    matched,
    waits,
    textWaits,
    end,
    isFit:
      isEndFit(end, thrown, output, isPrefix) &&
      isOutputComplete() &&
      isFromFailedCall() &&
      !choices.some(isContradicted),
    isQuoted: isQuoted(calls[failedCall ?? -1], output.error),
    ...(failedCall === undefined ? {} : { failedCall }),
  };

  function isOutputComplete(): boolean {
    return isBlind || matched === blocks.length;
  }

  /** Only commands always have an output; a patch, for example, resolves to an object without fields. */
  function mayBeAbsent(value: Value): boolean {
    if (value.kind !== 'field') return value.kind === 'unknown';
    return value.name !== 'output' || !COMMANDS.has(calls[value.call]?.tool ?? '');
  }

  function isFromFailedCall(): boolean {
    return thrown?.kind !== 'failure' || isErrorOfTool(thrown.tool, output.error ?? '');
  }

  /** Later output shows that the condition was not as assumed. */
  function isContradicted({ condition, isTaken }: Choice): boolean {
    if (condition.kind === 'field' && condition.name === 'status') return false;
    const truth = findTruth(resolveField(host, condition));
    return truth !== undefined && truth !== isTaken;
  }
}

function runToEnd(program: Program, host: ScriptHost, flush: () => void): { end: Way['end']; thrown?: Value } {
  try {
    runScript(program, host);
    flush();
    return { end: 'completed' };
  } catch (error) {
    if (error instanceof WayEnd) return { end: error.reason };
    if (error instanceof ScriptThrow) return toThrown(flush, error.value);
    if (error instanceof RangeError) return { end: 'not understood' };
    throw error;
  }
}

function toThrown(flush: () => void, thrown: Value): { end: Way['end']; thrown?: Value } {
  try {
    flush();
    return thrown.kind === 'exit' ? { end: 'completed' } : { end: 'threw', thrown };
  } catch (error) {
    if (error instanceof WayEnd) return { end: error.reason };
    throw error;
  }
}

function isEndFit(end: Way['end'], thrown: Value | undefined, output: ScriptOutput, isPrefix: boolean): boolean {
  if (isPrefix) return end === 'stopped' || end === 'completed' || end === 'threw';
  if (output.status === 'completed') return end === 'completed';
  if (end !== 'threw' || output.error === undefined) return false;
  if (thrown?.kind === 'failure') return isToolError(output);
  const message = thrown?.kind === 'dict' ? thrown.entries.get('message') : thrown;
  return message?.kind !== 'known' || output.error.includes(String(message.value));
}

/** Tools throw plain strings; errors of JavaScript have a name and a place. */
function isToolError({ status, error }: ScriptOutput): boolean {
  if (status !== 'failed' || error === undefined) return false;
  return !/^\w*Error\b/.test(error) && !/\n\s+at exec_main\.mjs:\d/.test(error);
}

/** Does the error quote the input of the call? Codex 0.142 and 0.144 do, as do hooks that refuse. */
function isQuoted(call: WayCall | undefined, error: string | undefined): Way['isQuoted'] {
  const [input] = call?.args ?? [];
  const command = input?.kind === 'dict' ? input.entries.get('cmd') : undefined;
  if (call === undefined || error === undefined || command?.kind !== 'known') return 'unknown';
  const text = String(command.value);
  const at = error.indexOf(text);
  const around = `${error[at - 1] ?? ' '}${error[at + text.length] ?? ' '}`;
  return at !== -1 && !/\w/.test(around) ? 'yes' : 'no';
}

/** Each text belongs to one of the blocks; only texts that belong to exactly one block are used. */
function matchUnordered(
  values: readonly Value[],
  blocks: readonly (string | undefined)[],
  findings: Findings,
): boolean {
  const fits = values.map((value) => new Set([...blocks.keys()].filter((at) => mayFit(value, blocks[at]))));
  const open = new Set(values.keys());
  for (;;) {
    const sure = [...open].find((at) => fits[at]?.size === 1);
    if (sure === undefined) return [...open].every((at) => (fits[at]?.size ?? 0) > 0);
    const [block = 0] = fits[sure] ?? [];
    const [value, text] = [values[sure], blocks[block]];
    if (value !== undefined && text !== undefined && !matchBlock(value, text, findings)) return false;
    open.delete(sure);
    for (const at of open) fits[at]?.delete(block);
  }
}

function mayFit(value: Value, block: string | undefined): boolean {
  return block === undefined ? value.kind === 'unknown' : matchBlock(value, block, new Map());
}

const CUT_HEAD = /^Warning: truncated output[^\n]*\nTotal output lines: \d+\n\n/;
const CUT = /…\d+ tokens truncated…/;

function matchCutOutput({ blocks: [block] }: ScriptOutput, texts: readonly Value[], findings: Findings): void {
  const text = (block ?? '').replace(CUT_HEAD, '');
  const at = CUT.exec(text);
  if (at === null) return;
  matchCut(texts, text.slice(0, at.index), text.slice(at.index + at[0].length), findings);
}
