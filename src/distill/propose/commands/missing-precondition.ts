/**
 * A command that failed, and worked unchanged once something else had run. Much runs between two tries: it counts only
 * where the error names it, the user did, or the error is one that it is known to mend.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { toCommandName, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { findCheck, isSameCommand } from '../../../base/shell/intent.ts';
import { isDoing, isLooking, isPreparing } from '../../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { renderWords } from '../../episodes/find-edit.ts';
import { isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toEditText, toMistake } from '../../text/edit-text.ts';
import { toExampleCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 8;
const SUMMARY_CHARS = 90;

/** Work that lies between, not a step that was forgotten. */
const CONFLICT = /\bconflict|could not apply|needs merge/i;
const EVERYDAY = new Set(['git add', 'git commit', 'git push', 'git checkout', 'git switch', 'git stash']);

/** An error, and the words of a command that mend it. */
const MENDED: readonly (readonly [RegExp, RegExp])[] = [
  [
    /cannot find (?:module|package)|module ?not ?found|no module named|is not installed|node_modules|missing dependenc|could not resolve dependenc|: (?:command )?not found$/im,
    /\b(?:install|i|ci|add|sync|restore|download|tidy|bootstrap)\b/,
  ],
  [
    /not (?:logged|signed) in|login required|please (?:log|sign) in|authentication required|auth login/i,
    /\b(?:login|auth)\b/,
  ],
  [/submodule|not checked out/i, /\bsubmodule\b/],
  [/connection refused|ECONNREFUSED|is the (?:server|docker daemon) running/i, /\b(?:up|start|redis-server|mongod)\b/],
];

/** A server of this machine that is not running is not the world's fault: somebody has to start it. */
const OWN_SERVER = /\blocalhost\b|\b127\.0\.0\.1\b|::1\b|on socket "|docker daemon/i;

export const missingPrecondition = makePairDetector({
  name: 'distill/missing-precondition@1',
  kind: 'missing-precondition',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const { call, calls, index, commands, commandsOf } = trouble;
    const output = call.output ?? '';
    if (call.masked || isVerdict(output) || CONFLICT.test(output)) return undefined;
    if (isWorld(output) && !OWN_SERVER.test(output)) return undefined;
    for (let at = index + 2; at < calls.length && at <= index + MAX_STEPS; at++) {
      const isDone = calls[at]?.outcome === 'success';
      const failed = isDone
        ? commands.find((one) => commandsOf(at).some((other) => isSameCommand(one, other)))
        : undefined;
      if (failed === undefined || isFormatter(failed) || isLooking(failed) !== isLookingOnly(commands)) continue;
      const needed = findNeeded(trouble, failed, at);
      return needed === undefined ? undefined : { ...toCure(failed, needed, call), provenAt: at };
    }
    return undefined;
  },
});

function toCure(failed: SimpleCommand, { index, command: needed }: Needed, call: LiveCall) {
  const [name, first] = [toCommandName(failed), toCommandName(needed)];
  const claim = `Before \`${name}\``;
  const text = toEditText({
    ...{ claim, failed, fixing: failed, around: { first: needed }, said: call.message ?? '' },
    tags: [`tool:${failed.program}`, 'topic:precondition'],
    points: { around: true, told: call.output ?? '' },
    otherwise: `run \`${first}\` first`,
  });
  const step = text.edit?.steps.find((one) => 'first' in one);
  const words = step && renderWords(step.first);
  return {
    index,
    text: {
      ...text,
      summary: `${claim}: run \`${words === undefined || words.length > SUMMARY_CHARS ? first : words}\``,
      example: {
        mistake: toMistake(failed, call.message ?? ''),
        fix: `${toExampleCommand(needed, 100)} && ${toExampleCommand(failed, 60)}`,
      },
    },
    triggers: {
      tools: ['shell'] as const,
      programs: [toProgramTrigger(failed)],
      session: { unless: [{ ran: first }] },
    },
    signals: ['fix-confirmed'] as const,
  };
}

interface Needed {
  readonly index: number;
  readonly command: SimpleCommand;
}

/** What ran between the two tries and was asked for: that is the fix, the second try only proves it. */
function findNeeded(trouble: Trouble, failed: SimpleCommand, end: number): Needed | undefined {
  const { call, calls, index, commandsOf } = trouble;
  const said = calls.slice(index, end).flatMap((one) => (one.outcome === 'denied' ? (one.message ?? '') : []));
  const output = call.output ?? '';
  for (let at = index + 1; at <= end; at++) {
    const between = calls[at];
    // Code was changed: that may have been what helped.
    if (between?.tool === 'edit' || between?.tool === 'write') return undefined;
    if (between?.outcome !== 'success') continue;
    const needed = commandsOf(at).find(
      (one) => isDoing(one) && !isSameCommand(one, failed) && isAsked(one, output, said),
    );
    if (needed !== undefined) return { index: at, command: needed };
  }
  return undefined;
}

function isAsked(command: SimpleCommand, output: string, said: readonly string[]): boolean {
  const name = toCommandName(command);
  if (EVERYDAY.has(name) || findCheck(command) !== undefined) return false;
  if (name.includes(' ') && (output.includes(name) || said.some((words) => words.includes(name)))) return true;
  return MENDED.some(([error, mending]) => error.test(output) && mending.test(name));
}

/** It only says that something else should run. */
function isFormatter(command: SimpleCommand): boolean {
  return findCheck(command) === 'lint';
}

function isLookingOnly(commands: readonly SimpleCommand[]): boolean {
  return commands.every((one) => isLooking(one) || isPreparing(one));
}
