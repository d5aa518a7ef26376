/**
 * A path of the project that is not there, and was looked for. Nothing mends that, and looking once is no mistake: the gate
 * lets it pass only when the same path was missing before, too, and no call ever touched it (`gate/gate-finding.ts`).
 */

import { ABSENT_PATH } from '../../../base/model/lesson-trust.ts';
import { hasTrait, isKnownAs, listPrograms } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toPositionals } from '../../../base/shell/simple-command.ts';
import { endsWithPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { HUSHED } from './hushed.ts';
import { toPlace } from './to-place.ts';
import { toProjectPath } from './to-project-path.ts';
import { touchesPath } from './touches-path.ts';

/** Programs that show a file or a folder and do nothing else. */
const SHOWING = listPrograms('views', 'lists');
/**
 * They change nothing, either: what any other program may have made is not known to be missing. The list is fixed,
 * because it is part of stored triggers, and the same trigger makes two findings one lesson.
 */
const HARMLESS = [...SHOWING, 'echo', 'printf', 'pwd', 'grep', 'rg', 'find', 'sort', 'true', 'date', 'which'];
const ABSENT = /^([\w-]+): .*no such file or directory/i;
/** Who provides for its absence makes no mistake, and behind a `cd` it is another path. */
const PROVIDED = '\\|\\||(?:^|[\\s;&|(])(?:cd|pushd|test|\\[|if)\\s';
const PROVIDES = new RegExp(PROVIDED);
/** Up to the end of a simple command that writes no file. */
const REST = '(?:[^;&|<>\\n]|2>&1)*';
/** Files that come and go while something runs. */
const PASSING = /\.(?:lock|pid|sock|log|tmp|swp)$/;

export const missingPath = makePairDetector({
  name: 'distill/missing-path@1',
  kind: 'wrong-path',
  maxSteps: 0,
  signals: ['retry-loop'],
  findCure(trouble) {
    const { call, calls, commands, index } = trouble;
    if (PROVIDES.test(call.command ?? '')) return undefined;
    const lines = trouble.toLines();
    const failed = commands.find((command) => findAbsent(command, lines) !== undefined);
    const word = failed === undefined ? undefined : findAbsent(failed, lines);
    const path = word === undefined ? undefined : toProjectPath(word, call);
    if (failed === undefined || path === undefined) return undefined;
    const place = toPlace(calls, call.cwd);
    if (place === undefined) return undefined;
    if (PASSING.test(path) || isProbe(failed, commands) || isWanted(path, trouble)) return undefined;
    return {
      index,
      text: {
        summary: `\`${path}\` was looked for here before, more than once, and was not there`,
        mistake: `\`${toShortCommand(failed, 200)}\` failed again: No such file or directory`,
        remediation: `Go on without \`${path}\`, or list the folder that it should be in`,
        tags: ['topic:repository-layout', ABSENT_PATH],
      },
      triggers: toTriggers(path, place),
      intentKey: `look ${path}`,
    };
  },
});

/** From this folder, as the first that deals with it, and not once it was read or written in this session. */
function toTriggers(path: string, place: string): Triggers {
  const named = `(?:\\./|/\\S*/${toLiteral(place)}/)?${toLiteral(path)}/*(?:["'\\s]|$)`;
  return {
    tools: ['shell'],
    programs: SHOWING.map((name) => ({ name })),
    command: { match: [`[\\s"']${named}`], unless: [HUSHED, `>\\s*["']?${named}`] },
    line: {
      match: [
        `^\\s*(?:(?:${HARMLESS.join('|')})(?:\\s${REST})?(?:;|&&|\\||\\n)\\s*)*(?:${SHOWING.join('|')})\\s(?:${REST}[\\s"'])?${named}`,
      ],
      unless: [PROVIDED],
    },
    directory: { in: place },
    session: { unless: [{ read: path }] },
  };
}

/** The word that its error calls missing. */
function findAbsent(command: SimpleCommand, lines: readonly string[]): string | undefined {
  if (!isKnownAs(command.program, 'views', 'lists')) return undefined;
  const said = lines.filter((line) => ABSENT.exec(line)?.[1] === command.program);
  return toPositionals(command).find((word) => said.some((line) => namesWord(line, word)));
}

function namesWord(line: string, word: string): boolean {
  return line.includes(word) && new RegExp(`[\\s'"‘]${toLiteral(word)}['"’]?(?::| for )`).test(line);
}

/** Asks which of several are there, or tells what came of it: the answer was wanted, whatever it is. */
function isProbe(failed: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const isAsking = failed.program === 'stat' || (failed.program === 'ls' && toPositionals(failed).length > 1);
  const after = commands.slice(commands.indexOf(failed) + 1);
  return (
    isAsking || after.some(({ program, text }) => program === 'echo' && /\$\?|exist|there|gone|missing/i.test(text))
  );
}

/** It is there at another time of this session, or was removed: then it is no mistake of who looks. */
function isWanted(path: string, { calls, index, commandsOf }: Trouble): boolean {
  const isTouched = calls.some((call) => touchesPath(path, call));
  return isTouched || calls.some((_, at) => at <= index && commandsOf(at).some((one) => removes(one, path)));
}

function removes(command: SimpleCommand, path: string): boolean {
  const words = toPositionals(command);
  const [sub = ''] = words;
  if (sub === 'clean' || words[1] === 'clean') return true;
  return hasTrait(command, 'removes') && words.some((word) => endsWithPath(word, path) || isAbove(word, path));
}

function isAbove(word: string, path: string): boolean {
  return path.startsWith(`${word.replace(/^\.\//, '').replace(/\/*\*?$/, '')}/`);
}
