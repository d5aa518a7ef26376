/**
 * A command that has to run in another folder: the file that says where a project begins (`package.json`, `go.mod`) was not
 * found, and the same command worked below.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { toCommandName, toOperands, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameCommand } from '../../../base/shell/intent.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toPositionals } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { hasRun } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toEditText, toMistake } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { isMoving } from './to-stand.ts';

const MAX_STEPS = 8;
const MARKER =
  /package\.json|cargo\.toml|go\.mod|pyproject\.toml|pipfile|setup\.py|manage\.py|composer\.json|gemfile|build\.gradle|pom\.xml|deno\.jsonc?|tsconfig|taskfile|justfile|makefile|\balembic\.ini|(?:docker-)?compose\.ya?ml|configuration files?|config file|git repository|the tsc command|script_location/i;
const ABSENT =
  /not found|no such file|ENOENT|could not (?:find|read|open|locate)|cannot find|can't (?:find|open)|^(?:error: |fatal: )?no |not a git repository|is not the tsc command|does not contain/i;

export const wrongFolder = makePairDetector({
  name: 'distill/wrong-folder@1',
  kind: 'wrong-directory',
  maxSteps: MAX_STEPS,
  findCure({ calls, index, call, commands, commandsOf, toLines }) {
    const line = toLines().find((one) => MARKER.test(one) && ABSENT.test(one));
    const [failed, ...more] = commands;
    if (line === undefined || failed === undefined || more.length > 0 || call.cwd === undefined) return undefined;
    for (let at = index + 1; at <= index + MAX_STEPS && at < calls.length; at++) {
      const later = calls[at];
      if (later === undefined || !hasRun(later)) continue;
      const folder = findFolder(failed, call, later, commandsOf(at));
      const triggers = folder === undefined ? undefined : toTriggers(failed, folder);
      if (folder === undefined || triggers === undefined) continue;
      const name = toCommandName(failed);
      return {
        index: at,
        text: {
          ...toEditText({
            claim: `\`${name}\` has to run in \`${folder}\``,
            ...{ failed, fixing: failed, said: line, lasting: [folder] },
            tags: [`tool:${failed.program}`, 'topic:project-folder'],
            around: { first: toMove(folder) },
            points: { around: true, told: line },
          }),
          summary: `\`${name}\` has to run in \`${folder}\``,
          mistake: toMistake(failed, line, `failed outside \`${folder}\``),
          remediation: `Run it in \`${folder}\`: \`cd ${folder} && ${toShortCommand(failed, 100)}\``,
        },
        triggers,
        signals: later.outcome === 'failure' ? [] : ['fix-confirmed'],
      };
    }
    return undefined;
  },
});

function toMove(folder: string): SimpleCommand {
  return { program: 'cd', args: [{ text: folder, value: folder }], text: `cd ${folder}` };
}

/** Where the same command ran: after a `cd` of its own line, or of an earlier call. */
function findFolder(
  failed: SimpleCommand,
  before: LiveCall,
  later: LiveCall,
  commands: readonly SimpleCommand[],
): string | undefined {
  const at = commands.findIndex((one) => isSameCommand(failed, one));
  if (at < 0) return undefined;
  const moved = commands.slice(0, at).findLast(isMoving);
  const [to = ''] = moved === undefined ? [] : toPositionals(moved);
  const start = later.cwd ?? before.cwd ?? '';
  const place = moved === undefined ? start : to.startsWith('/') ? to : `${start}/${to}`;
  return toBelow(place, before.cwd ?? '');
}

/** As seen from where it failed; nothing above it, and nothing that only the shell knows. */
function toBelow(place: string, cwd: string): string | undefined {
  const folder = place.startsWith(`${cwd}/`) ? place.slice(cwd.length + 1).replace(/^(?:\.\/)+|\/+$/g, '') : '';
  return folder === '' || /(?:^|\/)\.\.?(?:\/|$)|[$`*~\s]/.test(folder) ? undefined : folder;
}

/** Of a program that runs files the file is meant, not the program. */
function toTriggers(failed: SimpleCommand, outside: string): Triggers | undefined {
  const base = { tools: ['shell'] as const, programs: [toProgramTrigger(failed)], directory: { outside } };
  if (toPlainSubCommand(failed).length > 0) return base;
  const [file] = toOperands(failed);
  if (file === undefined) return failed.args.length === 0 ? base : undefined;
  return { ...base, command: { match: [`(?:^|\\s)${toLiteral(file)}(?:\\s|$)`] } };
}
