/**
 * What a call wanted, short enough to index. A later success with the same key means that whatever failed before is
 * settled, so it must name the deed: sub-command, script, target. Checks share a key for each kind of check.
 * A line that did several things has a key of several, side by side in slots: it settles them all.
 */
import { findCheckKind } from './find-check-kind.ts';
import { findScriptName } from './find-script-name.ts';
import { findSubjects } from './find-subjects.ts';
import { hashText } from './hash.ts';
import { isProbe } from './is-probe.ts';
import type { Outcome } from './outcome.ts';
import { parseCommand } from './parse-command.ts';
import { isOption, toPositionals } from './program-words.ts';
import type { SimpleCommand } from './simple-command.ts';
import { throughRunner } from './through-runner.ts';
import { toSubCommand } from './to-sub-command.ts';
import type { ToolName } from './tool.ts';

/** Stores take keys of several things apart by these. */
export const SEVERAL = 'several:';
export const SLOT_CHARS = 48;
export const MAX_SLOTS = 4;

export interface Wanting {
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
