/**
 * Finds out how an agent got past a failed call: the next call of the same purpose that worked, and the difference
 * between the two. A repair is kept under the signature of the failure, so that the same failure can be met with it at
 * once. No program and no message is named here: the difference between the calls and the words of the error decide.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { Cure, CureKind } from '../../base/model/cure.ts';
import { dropAbsent } from '../../base/records.ts';
import type { CommandEdit, EditWord } from '../../base/shell/command-edit.ts';
import { findCheck, isSameCommand, isSameSubCommand } from '../../base/shell/intent.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { isDoing, isPreparing, isProbe } from '../../base/shell/program-kinds.ts';
import { isOption, type SimpleCommand } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import { toBaseName } from '../../base/text/paths.ts';
import type { SessionWindow } from '../detector.ts';
import { isForcing } from '../gate/risky-remedies/is-forcing.ts';
import { findRisks } from '../gate/risky-remedies/judge-remedy.ts';
import { toShortCommand } from '../text/to-short-command.ts';
import { findCure, isNamedIn } from './cure-step.ts';
import { renderEdit } from './find-edit.ts';
import { isVerdict, isWorld } from './is-verdict.ts';

const MAX_STEPS = 12;
const TEXT_CHARS = 180;

/** The cures that the calls from `from` on show. */
export function findCures({ calls, from }: Pick<SessionWindow, 'calls' | 'from'>): readonly Cure[] {
  const found: Cure[] = [];
  for (let index = Math.max(0, from - MAX_STEPS); index < calls.length; index++) {
    const failing = calls[index];
    if (failing?.outcome !== 'failure' || failing.signature === undefined) continue;
    const next = calls.slice(index + 1, index + 1 + MAX_STEPS);
    const made = failing.tool === 'shell' ? findCommandCure(failing, next) : findToolCure(failing, next);
    const fixing = made && next[made.at];
    if (made === undefined || fixing === undefined || index + 1 + made.at < from) continue;
    if (isHarmful(made, failing, fixing)) continue;
    const { agent, sessionId, projectId, callId, signature } = failing;
    found.push({
      ...{ agent, sessionId, projectId, failingCallId: callId, fixingCallId: fixing.callId, signatureId: signature.id },
      ...{ kind: made.kind, text: made.text, at: fixing.occurredAt },
      ...dropAbsent({ edit: made.edit }),
    });
  }
  return found;
}

interface Made {
  /** Index of the working call among the next ones. */
  readonly at: number;
  readonly kind: CureKind;
  readonly text: string;
  readonly edit?: CommandEdit;
  /** The line of the command that had to run first. */
  readonly firstLine?: string;
}

/** The same input of a file tool worked once the file was read. Another input is another text, which no cure can know. */
function findToolCure({ tool, targetPath, inputHash }: LiveCall, next: readonly LiveCall[]): Made | undefined {
  const isSameFile = (call: LiveCall): boolean => call.outcome === 'success' && call.targetPath === targetPath;
  const at = next.findIndex((call) => isSameFile(call) && call.tool === tool && call.inputHash === inputHash);
  if (at < 0 || targetPath === undefined) return undefined;
  const isRead = next.slice(0, at).some((call) => isSameFile(call) && call.tool === 'read');
  return isRead ? { at, kind: 'read-first', text: 'read the file first' } : undefined;
}

function findCommandCure(failing: LiveCall, next: readonly LiveCall[]): Made | undefined {
  const output = failing.output ?? '';
  const failed = findBlamed(failing);
  if (failed === undefined || isProbe(failed) || isWorld(output) || isVerdict(output)) return undefined;
  const telling = toTellingWords(failed);
  for (const [at, fixing] of next.entries()) {
    if (fixing.tool !== 'shell' || fixing.outcome !== 'success' || fixing.masked) continue;
    if (!telling.some((word) => fixing.command?.includes(word))) continue;
    const command = findAlike(failed, fixing);
    if (command === undefined) continue;
    // Either way, this call ends the trouble: a later one was made for another reason.
    if (isSameCommand(failed, command)) {
      const around = findAround({ failing, failed, fixing, between: next.slice(0, at) });
      return around && { at, ...around };
    }
    const made = toEdited({ failed, command, output });
    if (made !== undefined) return made.kind === 'verdict' ? undefined : { at, ...made };
  }
  return undefined;
}

/** The program and the longest other word. A command with neither is another command, and need not be parsed. */
function toTellingWords({ program, args }: SimpleCommand): readonly string[] {
  const longest = args.reduce((word, { value }) => (value.length > word.length ? value : word), '');
  return longest === '' ? [program] : [program, longest];
}

/**
 * Unless the error names the words that changed, a red check that turns green in another form says nothing, and another
 * sub-command does other work.
 */
function toEdited({
  failed,
  command,
  output,
}: Readonly<Record<'failed' | 'command', SimpleCommand>> & { output: string }) {
  const edit = findCure({ failed, fixing: command, points: { told: output } });
  const text = edit && renderEdit(edit, TEXT_CHARS);
  if (edit === undefined || text === undefined || text === '' || !isTelling(edit)) return undefined;
  const isPointedAt = isNamed(edit, output);
  if (isCheck(failed) && !isPointedAt) return { kind: 'verdict' } as const;
  if (failed.program === command.program && !isSameSubCommand(failed, command) && !isPointedAt) return undefined;
  return { kind: 'edit', text, edit } as const;
}

function isCheck(command: SimpleCommand): boolean {
  return findCheck(unwrapRunner(command)) !== undefined;
}

interface Unchanged {
  readonly failing: LiveCall;
  readonly failed: SimpleCommand;
  readonly fixing: LiveCall;
  readonly between: readonly LiveCall[];
}

/**
 * The very same command worked: in another folder, or after a command that the error names a word of. A check, or any
 * command after an edit, worked because the code changed.
 */
function findAround({ failing, failed, fixing, between }: Unchanged): Omit<Made, 'at'> | undefined {
  const isEdited = between.some(({ tool, outcome }) => (tool === 'edit' || tool === 'write') && outcome === 'success');
  if (isEdited || isCheck(failed)) return undefined;
  if (fixing.cwd !== undefined && fixing.cwd !== failing.cwd) return toFolder(failing, fixing);
  const ran = between
    .filter(({ tool, outcome, masked }) => tool === 'shell' && outcome === 'success' && !masked)
    .flatMap((call) => parseCall(call).map((command) => ({ command, line: call.command ?? '' })));
  const first = ran.findLast(
    ({ command }) => isDoing(command) && toWords(command).some((word) => isNamedIn(failing.output ?? '', word)),
  );
  if (first === undefined) return undefined;
  return { kind: 'first', text: `run \`${toShortCommand(first.command, TEXT_CHARS)}\` first`, firstLine: first.line };
}

/** A folder of the project, as it is seen from the folder of the failed call. */
function toFolder({ cwd: from }: LiveCall, { cwd: to }: LiveCall): Omit<Made, 'at'> | undefined {
  if (from === undefined || to === undefined) return undefined;
  if (to.startsWith(`${from}/`)) return { kind: 'folder', text: `run it in \`${to.slice(from.length + 1)}\`` };
  return from.startsWith(`${to}/`)
    ? { kind: 'folder', text: `run it in the folder \`${toBaseName(to)}\` above` }
    : undefined;
}

/** A cure never weakens a check, widens permissions, discards work, hides an exit code or reaches for another host. */
function isHarmful({ edit, firstLine }: Made, failing: LiveCall, fixing: LiveCall): boolean {
  // The whole line, because parsing looks through `sudo`.
  const told = firstLine ?? (edit === undefined ? '' : (fixing.command ?? ''));
  const words = [...listAdded(edit), ...(firstLine?.split(/\s+/) ?? [])];
  if (words.some((word) => word === 'sudo' || (isOption(word) && isForcing(word)))) return true;
  return findRisks(told, { named: [failing.command ?? ''], cwd: failing.cwd }).length > 0;
}

function listAdded(edit: CommandEdit | undefined): readonly string[] {
  const words = edit?.steps.flatMap((step) => ('from' in step ? step.to : [])) ?? [];
  return words.filter((word) => typeof word === 'string');
}

/** The command of the line that the signature is about. */
function findBlamed(call: LiveCall): SimpleCommand | undefined {
  const commands = parseCall(call);
  const program = call.signature?.program;
  return (
    commands.find((one) => one.program === program) ??
    commands.find((one) => unwrapRunner(one).program === program) ??
    commands.filter((one) => !isPreparing(one)).at(-1)
  );
}

const MIN_ALIKE = 0.5;

/** The command of a line that is most like the failed one, if it has half of its words. */
function findAlike(failed: SimpleCommand, call: LiveCall): SimpleCommand | undefined {
  const scored = parseCall(call)
    .filter((one) => !isProbe(one))
    .map((command) => ({ command, alike: toAlike(failed, command) }))
    .filter(({ alike }) => alike >= MIN_ALIKE)
    .sort((a, b) => b.alike - a.alike);
  return scored[0]?.command;
}

function toAlike(a: SimpleCommand, b: SimpleCommand): number {
  const [x, y] = [toWords(a), toWords(b)];
  const left = [...y];
  let common = 0;
  for (const word of x) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common++;
  }
  return (2 * common) / (x.length + y.length);
}

function toWords({ program, args }: SimpleCommand): readonly string[] {
  return [program, ...args.map(({ value }) => value)];
}

/** More than other objects of the same kind: those were wanted that day. */
function isTelling({ steps }: CommandEdit): boolean {
  return steps.some((step) => !('from' in step) || String(step.from.map(toShape)) !== String(step.to.map(toShape)));
}

function toShape(word: EditWord): string {
  return typeof word === 'string' ? word : `<${word.any}>${word.prefix ?? ''}`;
}

/** The error names a word that the edit takes or brings, or the program that it replaces or wraps. */
function isNamed({ program, steps }: CommandEdit, output: string): boolean {
  const words = steps.flatMap((step) =>
    'from' in step ? [...step.from, ...step.to, ...(step.at === 0 ? [program] : [])] : [],
  );
  return words.some((word) => typeof word === 'string' && isNamedIn(output, word));
}
