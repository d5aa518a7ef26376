/**
 * The same work through another runner: `uv run pytest` where `pytest` lacks its modules, `pnpm test` where `npm test` is
 * refused, `npx tsx a.ts` where `node a.ts` cannot read it. Only errors that say that the runner is the wrong one count.
 */

import { hasHalfOf, toTypedProgram } from '../../../base/shell/command-words.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import type { ProgramTrigger } from '../../../base/triggers/trigger.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toEditText } from '../../text/edit-text.ts';
import { isStandIn, runsProgram } from '../rejected-words/runs-program.ts';

const MAX_STEPS = 6;
const UNFIT: readonly RegExp[] = [
  /\bModuleNotFoundError\b|\bNo module named\b|^ImportError: /m,
  /cannot find (?:module|package) ['"`]|ERR_MODULE_NOT_FOUND|ERR_UNKNOWN_FILE_EXTENSION|unknown file extension/i,
  /cannot use import statement outside a module|ERR_REQUIRE_ESM/i,
  /configured to use (?:npm|pnpm|yarn|bun)\b|unsupported url type "?workspace:|EUNSUPPORTEDPROTOCOL|only-allow/i,
  /externally-managed-environment|error: no virtual environment found/i,
  /\bunsupported engine\b|is not compatible with this version of|requires? (?:node|python|ruby|java)\b[^\n]{0,12}[\d>=]/i,
  /could not find \S+ in (?:any of the sources|locally installed gems)/i,
];
/** Whoever asks a program about itself needs nothing of the project. */
const ASKING = ['--version', '-V', '--help', '-h'];
const INSTALLING = /\b(?:install|add|sync|ci|restore|update|upgrade)\b/;

export const changedRunner = makePairDetector({
  name: 'distill/changed-runner@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const line = trouble.toLines().find(isUnfit);
    if (line === undefined) return undefined;
    for (const failed of trouble.commands) {
      if (failed.program === '' || failed.args.length === 0) continue;
      const later = findLater(trouble, MAX_STEPS, (one, call) => isOther(failed, one) && !isUnfit(call.output ?? ''));
      if (later === undefined || isMendedBetween(trouble, later.index)) continue;
      const runner = toRunner(failed, later.command);
      return {
        index: later.index,
        text: toEditText({
          claim: `\`${toTypedProgram(failed)}\` runs in the wrong environment here`,
          ...{ failed, fixing: later.command, said: line },
          tags: [`tool:${failed.program}`, 'topic:runner', `env:${runner}`],
          points: { program: true, told: trouble.call.output ?? line },
        }),
        triggers: {
          tools: ['shell'],
          programs: [toProgram(failed)],
          command: { match: [`(?:^|\\s)${toLiteral(toTypedProgram(failed))}(?:\\s|$)`] },
          // An environment that the line itself enters is the right one.
          line: { unless: ['(?:^|[\\s/])activate(?:[\\s;&]|$)'] },
        },
        signals: later.signals,
      };
    }
    return undefined;
  },
});

function isUnfit(text: string): boolean {
  return UNFIT.some((pattern) => pattern.test(text));
}

function isOther(failed: SimpleCommand, later: SimpleCommand): boolean {
  if (isManager(failed) && isManager(later))
    return later.program !== failed.program && toScript(failed) !== '' && toScript(failed) === toScript(later);
  if (later.program === failed.program)
    return toTypedProgram(later) !== toTypedProgram(failed) && keepsWords(failed, later);
  return runsProgram(later, failed.program) ? keepsWords(failed, later) : isStandIn(later, failed);
}

function keepsWords(failed: SimpleCommand, later: SimpleCommand): boolean {
  return hasHalfOf(
    failed.args.map(({ value }) => value).filter((word) => !isOption(word)),
    later,
  );
}

function isManager({ program }: SimpleCommand): boolean {
  return isKnownAs(program, 'node-packages');
}

/** `npm run build` and `pnpm build` are the same. */
function toScript({ args }: SimpleCommand): string {
  const words = args.map(({ value }) => value).filter((word) => !isOption(word) && word !== 'run');
  return words[0] ?? '';
}

function toRunner(failed: SimpleCommand, later: SimpleCommand): string {
  return later.program === failed.program ? 'local' : later.program;
}

/** Of a package manager what it was asked to do is part of it: `npm view` works anywhere. */
function toProgram(failed: SimpleCommand): ProgramTrigger {
  const [first] = failed.args.map(({ value }) => value).filter((word) => !isOption(word));
  return isManager(failed) && first !== undefined
    ? { name: failed.program, sub: [first] }
    : { name: failed.program, args: { none: ASKING } };
}

/** Code was changed, or what was missing was installed: that may have been what helped. */
function isMendedBetween({ calls, index }: Trouble, end: number): boolean {
  return calls
    .slice(index + 1, end)
    .some(
      ({ tool, outcome, command = '' }) =>
        outcome === 'success' &&
        (tool === 'edit' || tool === 'write' || (tool === 'shell' && INSTALLING.test(command))),
    );
}
