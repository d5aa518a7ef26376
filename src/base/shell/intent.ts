/**
 * The intent key of a call: a short, indexable name for its purpose. A later success with the same key settles the
 * earlier failure, so the key must name the action: sub-command, script, target; all checks of one kind share a key. A
 * line that did several things has several keys side by side in fixed slots, and settles them all.
 */

import { hashText } from '../ids.ts';
import type { Outcome } from '../model/event.ts';
import type { ToolName } from '../model/tool.ts';
import { parseCommand } from './parse-command.ts';
import { findCheckKind, isLooking, isPreparing, isProbe } from './program-kinds.ts';
import { isOption, type SimpleCommand, toPositionals } from './simple-command.ts';
import { findScriptName, throughRunner, toSubCommand } from './sub-commands.ts';

/** Stores take keys of several things apart by these. */
export const SEVERAL = 'several:';
export const SLOT_CHARS = 48;
export const MAX_SLOTS = 4;

interface Wanting {
  readonly tool: ToolName;
  readonly rawTool?: string;
  readonly command?: string;
  readonly targetPath?: string;
  readonly outcome?: Outcome;
  readonly masked?: boolean;
  readonly signature?: { readonly program: string };
  readonly output?: string;
}

export function toIntentKey(call: Wanting): string {
  const { tool, rawTool, targetPath } = call;
  if (tool !== 'shell') return toSlot(`${tool} ${targetPath === undefined ? (rawTool ?? '') : hashText(targetPath)}`);
  const subjects = findSubjects(parseCommand(call.command ?? ''), {
    failed: call.outcome === 'failure',
    ...(call.masked === true && call.signature !== undefined ? { hiddenProgram: call.signature.program } : {}),
    ...(call.output === undefined ? {} : { output: call.output }),
  });
  const keys = [...new Set(subjects.map((command) => toSlot(toKey(throughRunner(command)))))].slice(0, MAX_SLOTS);
  if (keys.length < 2) return keys[0] ?? tool;
  return SEVERAL + keys.map((key) => key.padEnd(SLOT_CHARS)).join('');
}

/** The intents of a key: those of a line that did several things, or the one. */
export function listIntents(intentKey: string): readonly string[] {
  if (!intentKey.startsWith(SEVERAL)) return intentKey === '' ? [] : [intentKey];
  const slots = intentKey.slice(SEVERAL.length);
  return Array.from({ length: Math.ceil(slots.length / SLOT_CHARS) }, (_, n) =>
    slots.slice(n * SLOT_CHARS, (n + 1) * SLOT_CHARS).trim(),
  );
}

const PRINTABLE = /^[ -~]*$/;
const INTERPRETER = /^(?:python[\d.]*|node|nodejs|tsx|ts-node|ruby|perl|php|bash|sh|zsh|dash|ksh|Rscript|lua)$/;
const SCRIPT_FILE = /\.\w+$/;
const WORD = /^[a-z][a-z0-9:_-]{0,30}$/i;

function toKey(command: SimpleCommand): string {
  const { program } = command;
  // Asking how a thing is done is not doing it.
  if (isProbe(command)) return `ask ${program}`;
  const script = findScriptName(command);
  const check = findCheckKind(command, script);
  if (check !== undefined) return `check ${check}`;
  if (script !== undefined) return `run ${script}${SCRIPT_FILE.test(script) ? toScriptWord(command, script) : ''}`;
  if (INTERPRETER.test(program))
    return `shell ${program} ${command.args.find(({ value }) => isOption(value))?.value ?? ''}`;
  const words = REMOTE.has(program) ? toHost(command) : toSubCommand(command);
  return `shell ${[program, ...words].join(' ')}`;
}

/** `prod` of `./deploy.sh prod`: a script may have sub-commands, too. */
function toScriptWord(command: SimpleCommand, script: string): string {
  const words = toPositionals(command);
  const word = words[command.program === script ? 0 : 1] ?? '';
  return WORD.test(word) ? ` ${word}` : '';
}

const REMOTE = new Set(['curl', 'wget', 'http', 'https', 'ssh', 'scp']);
const HOST = /^(?:[a-z]+:\/\/)?(?:[^@/\s]*@)?((?:[\w-]+\.)*[\w-]+(?::\d+)?)(?:[/:?]|$)/i;

/** Another host is another thing; another path is often the same one, tried again. */
function toHost(command: SimpleCommand): readonly string[] {
  const words = command.args.map(({ value }) => value);
  const place = words.find((word) => word.includes('://')) ?? toPositionals(command)[0] ?? '';
  return HOST.exec(place)?.slice(1, 2) ?? [];
}

/** ASCII only: stores count characters otherwise than we do. */
function toSlot(key: string): string {
  const bare = key.trim();
  if (bare.length <= SLOT_CHARS && PRINTABLE.test(bare)) return bare;
  const hash = hashText(bare);
  return `${bare.slice(0, SLOT_CHARS - hash.length - 1).replaceAll(/[^!-~]+/g, ' ')} ${hash}`;
}

/** What is known about the end of the line. */
interface LineEnd {
  readonly failed: boolean;
  /** The program whose failure the line hid. */
  readonly hiddenProgram?: string;
  readonly output?: string;
}

/** Programs say at the beginning of a line that it was them; what comes later is what they show. */
const MAX_OUTPUT_CHARS = 20_000;

/**
 * The commands of a line that it is about. One that failed failed in one of them; one that worked did all of them.
 * `cd`, `echo` and what only looks count where there is nothing else. In the order of the line. None only for a line
 * without any program that can be named.
 */
function findSubjects(commands: readonly SimpleCommand[], end: LineEnd): readonly SimpleCommand[] {
  const named = commands.filter(({ program }) => program !== '');
  if (!end.failed) return toWeightiest(named);
  const failing =
    findHidden(named, end) ?? findSpeaking(toVisible(named), end) ?? toWeightiest(toVisible(named)).at(-1);
  return failing === undefined ? [] : [failing];
}

function findHidden(commands: readonly SimpleCommand[], { hiddenProgram }: LineEnd): SimpleCommand | undefined {
  return hiddenProgram === undefined ? undefined : commands.findLast(({ program }) => program === hiddenProgram);
}

/** Those whose code can be the code of the line. */
function toVisible(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const visible = commands.filter(({ hidden }) => hidden !== true);
  return visible.some((command) => toWeight(command) === MAX_WEIGHT) ? visible : commands;
}

/** `ls: cannot access …` of `ls x && npm run build`: the build was never reached. */
function findSpeaking(commands: readonly SimpleCommand[], { output = '' }: LineEnd): SimpleCommand | undefined {
  if (new Set(commands.map(({ program }) => program)).size < 2) return undefined;
  const lines = output.slice(0, MAX_OUTPUT_CHARS).split('\n');
  return commands.findLast(({ program }) =>
    lines.some((line) => line.startsWith(`${program}: `) || line.startsWith(`${program} ERR!`)),
  );
}

const MAX_WEIGHT = 2;

function toWeight(command: SimpleCommand): number {
  if (isPreparing(command)) return 0;
  return isLooking(command) ? 1 : MAX_WEIGHT;
}

function toWeightiest(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const weights = commands.map(toWeight);
  const most = Math.max(...weights);
  return commands.filter((_, i) => weights[i] === most);
}

const PREPARATION = new Set([
  'cd',
  'pushd',
  'popd',
  'export',
  'set',
  'source',
  '.',
  'unset',
  'umask',
  'ulimit',
  'true',
  ':',
  'sleep',
  'echo',
]);

/** The simple command that a command line is about: the first one that does more than prepare the shell. */
export function findMainCommand(command: string): SimpleCommand | undefined {
  const named = parseCommand(command).filter(({ program }) => program !== '');
  return named.find(({ program }) => !PREPARATION.has(program)) ?? named[0];
}
