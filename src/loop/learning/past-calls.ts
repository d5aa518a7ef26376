/**
 * Tests triggers and lessons on past calls: reads the newest calls of a project and decides whether a trigger would
 * have fired on them. The calls stay in memory and new calls are added as they arrive, because a scan makes hundreds of
 * findings and reading thousands of rows for each would be most of its work.
 */

import type { Store } from '../../base/contracts/store.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import type { Call, LiveCall, StoredCall } from '../../base/model/call.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { parseCommand } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { toAbsolute } from '../../base/text/posix-path.ts';
import { type AskPast, isMet } from '../../base/triggers/call-view.ts';
import { checkTriggers } from '../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, Triggers } from '../../base/triggers/trigger.ts';
import { findAbsentPath } from '../../distill/gate/contradicts.ts';
import type { PastCall } from '../../distill/gate/gate-finding.ts';
import { toPathRegexes } from '../../keep/manifest/compiled-triggers.ts';

export interface PastCalls {
  /** By call id, oldest first. */
  list(projectId: string): Promise<ReadonlyMap<string, PastCall>>;
  /** Stored since. */
  add(calls: readonly LiveCall[]): void;
}

/** How far back a trigger is tried: enough to see what is usual, little enough not to matter. */
const MAX_CALLS = 5_000;
/** Of all projects together. */
const MAX_KEPT = 40_000;
/** Others write to the store, too, and texts are removed from it. */
const REMEMBER_MS = 60_000;

export function makePastCalls(store: Store): PastCalls {
  const projects = new Map<string, Map<string, PastCall>>();
  let madeMs = performance.now();
  const read = async (projectId: string): Promise<Map<string, PastCall>> => {
    const stored = await store.listPastCalls(projectId, MAX_CALLS);
    return new Map(stored.map((call) => [call.callId, call]));
  };
  return {
    async list(projectId) {
      if (performance.now() - madeMs > REMEMBER_MS) {
        projects.clear();
        madeMs = performance.now();
      }
      const calls = projects.get(projectId) ?? (await read(projectId));
      projects.delete(projectId);
      projects.set(projectId, calls);
      dropUnused(projects);
      dropBeyond(calls, MAX_CALLS);
      return calls;
    },
    add(calls) {
      for (const call of calls) {
        const known = projects.get(call.projectId);
        known?.set(call.callId, toPastCall(call));
        if (known !== undefined) dropOldest(known, MAX_CALLS);
      }
    },
  };
}

/** The first ones, and at once: whoever adds lets some more stay for a while. */
function dropBeyond(calls: Map<string, PastCall>, max: number): void {
  let extra = calls.size - max;
  for (const callId of calls.keys()) {
    if (extra-- <= 0) return;
    calls.delete(callId);
  }
}

/** Those that were asked for longest ago; never the last. */
function dropUnused(projects: Map<string, ReadonlyMap<string, PastCall>>): void {
  let kept = [...projects.values()].reduce((sum, calls) => sum + calls.size, 0);
  for (const [projectId, calls] of projects) {
    if (kept <= MAX_KEPT || projects.size === 1) return;
    kept -= calls.size;
    projects.delete(projectId);
  }
}

/** As the store tells it: with the first 200 characters of its command. */
function toPastCall(call: Call): PastCall {
  return {
    callId: call.callId,
    command: call.inputSummary ?? '',
    outcome: call.outcome,
    signatureId: call.signature?.id,
    tool: call.tool,
    path: call.targetPath,
  };
}

/**
 * The past calls that a finding's trigger is tried on. The window's calls have their whole command, where they ran,
 * and what else the tool was given.
 */
export async function readPast(
  past: PastCalls,
  finding: Finding,
  window: readonly LiveCall[],
): Promise<readonly PastCall[]> {
  const whole = new Map(window.map((call) => [call.callId, call]));
  const { triggers, failingCallId, fixingCallId } = finding;
  const tools = triggers.tools ?? ['shell'];
  // What any tool has read or written is there.
  const isAbsence = findAbsentPath(finding) !== undefined;
  const stored = await past.list(finding.projectId);
  const meant: PastCall[] = [];
  const add = (call: PastCall): void => {
    const isOwn = call.callId === failingCallId || call.callId === fixingCallId;
    if (!isAbsence && !isOwn && !tools.includes(call.tool ?? 'shell')) return;
    const live = whole.get(call.callId);
    const told = live === undefined ? call : { ...call, ...toWhole(live, call) };
    // What the trigger cannot mean is nothing to the back-test, and it is nearly all.
    if (isAbsence || isOwn || mayMean(triggers, told.command)) meant.push(told);
  };
  stored.forEach(add);
  // Of a tool that nobody tracks only failures are stored.
  for (const call of window) {
    const isOwn = call.callId === failingCallId || call.callId === fixingCallId;
    if (isOwn && !stored.has(call.callId)) add(toPastCall(call));
  }
  return meant;
}

function toWhole({ command, cwd, parameters }: LiveCall, stored: PastCall): Partial<PastCall> {
  const json = parameters === undefined ? undefined : JSON.stringify(parameters);
  return { command: command ?? stored.command, cwd, json };
}

/** A trigger is tried on thousands of calls, and the next one on the same; many are made again and again. */
const parsed = new Map<string, readonly SimpleCommand[]>();
const MAX_PARSED = 5_000;

function parseOnce(command: string): readonly SimpleCommand[] {
  const known = parsed.get(command);
  if (known !== undefined) return known;
  const commands = parseCommand(command);
  parsed.set(command, commands);
  dropOldest(parsed, MAX_PARSED);
  return commands;
}

/**
 * Would a trigger have spoken at a call of the past? `isSure`: only commands whose exit code the line does not hide.
 */
export function holdsInPast(triggers: Triggers, command: string, past: PastCall, isSure = false): boolean {
  const { tool = 'shell', path, cwd, json } = past;
  // Most calls are of other programs, and parsing is what costs.
  if (!mayMean(triggers, command)) return false;
  const all = tool === 'shell' ? parseOnce(command) : [];
  const call = {
    tool,
    commands: isSure ? all.filter(({ hidden }) => hidden !== true) : all,
    ...(tool === 'shell' ? { line: command } : {}),
    ...(tool === 'shell' && json === undefined ? {} : { json: json ?? command }),
    ...(path === undefined ? {} : { path }),
    ...(cwd === undefined ? {} : { cwd }),
    ...{ projectId: '', sessionId: '' },
  };
  return checkTriggers(triggers, toPathRegexes(triggers), call, { callOnly: true }).holds;
}

/** Would a lesson speak at a call that has happened? What was said, and to whom, is not told with it and counts as held. */
export function firesAt({ triggers }: Lesson, call: LiveCall, past?: AskPast): boolean {
  const { tool, command, targetPath: path, cwd, parameters, projectId, sessionId } = call;
  const matched = {
    ...{ tool, commands: tool === 'shell' ? parseCommand(command ?? '', call) : [], projectId, sessionId },
    ...(command === undefined ? {} : { line: command }),
    ...(path === undefined ? {} : { path }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(parameters === undefined ? {} : { json: JSON.stringify(parameters) }),
    ...(past === undefined ? {} : { past }),
  };
  return checkTriggers(triggers, toPathRegexes(triggers), matched, { callOnly: true }).holds;
}

/** What the calls of a session have done, for lessons that ask. */
export function toPast(calls: readonly StoredCall[], before: LiveCall): AskPast {
  const done = calls
    .filter(({ outcome, occurredAt }) => isDone(outcome) && occurredAt < before.occurredAt)
    .map(({ inputSummary = '', tool, rawTool, targetPath }) => ({
      commands: tool === 'shell' ? parseCommand(inputSummary, { rawTool }) : [],
      path: targetPath === undefined ? undefined : toAbsolute(targetPath, before.cwd),
    }));
  return ({ meant }) => done.some((one) => isMet(meant, one));
}

function isDone(outcome: StoredCall['outcome']): boolean {
  return outcome === 'success' || outcome === 'partial';
}

/** Whether triggers may mean a command, by its text: most calls are of other programs, and parsing is what costs. Says yes in doubt. */
export function mayMean({ programs }: Triggers, command: string): boolean {
  return programs === undefined || programs.some((program) => mayBe(program, command));
}

function mayBe({ name, sub, args }: ProgramTrigger, command: string): boolean {
  if (!mayRun(command, name)) return false;
  const isThere = (word: string): boolean => mayHave(command, word);
  if (sub?.every(isThere) === false || args?.all?.every(isThere) === false) return false;
  return args?.any === undefined || args.any.some(isThere);
}

function mayHave(command: string, word: string): boolean {
  return command.includes(word) || !PLAIN.test(word) || DOUBT.test(command);
}

/** Other words are written with quotes or escapes. */
const PLAIN = /^[\w./:=@%+,-]+$/;
/** Quotes and escapes inside a word, and escapes that write any character: the text does not show what the shell reads. */
const DOUBT = /[\w./:=@%+,-]["'\\`]+\s*[\w./:=@%+,-]|\$["']/;

// Whether a command may run a program of this name: what only holds it inside another word does not.

/** Most calls are of other programs, and parsing is what costs. Says yes in doubt. */
export function mayRun(command: string, name: string): boolean {
  for (let at = command.indexOf(name); at >= 0; at = command.indexOf(name, at + 1)) {
    if (!isInWord(command, at - 1) && !WORD.test(command.charAt(at + name.length))) return true;
  }
  return false;
}

const WORD = /[A-Za-z0-9_]/;

/** The `n` of `\n` before a name is a line break where the shell reads it as one. */
function isInWord(command: string, before: number): boolean {
  return WORD.test(command.charAt(before)) && !ESCAPE.test(command.charAt(before - 1));
}

const ESCAPE = /[\\`]/;
