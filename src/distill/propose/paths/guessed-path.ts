/**
 * A command that names a path of the project which is not there, and the same with another path soon after: `pytest
 * tests/unit`, then `pytest tests/billing`. What was guessed wrong once teaches nothing: the gate lets it pass only when
 * the same path was missing before, too (`gate/gate-finding.ts`).
 */
import { toCommandName, toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toEditText } from '../../text/edit-text.ts';
import { toProjectPath } from './to-project-path.ts';
import { touchesPath } from './touches-path.ts';

/** By this the gate knows it. */
export const GUESSED_PATH = 'topic:guessed-path';

const MAX_STEPS = 5;
const ABSENT =
  /no such file or directory|(?:file or directory|directory|file|path) not found|\bdoes not exist|can(?:not|'t) (?:find|open|stat) /i;
/** Behind it the path is another one. */
const MOVES = '(?:^|[\\s;&|(])(?:cd|pushd)\\s';
const MOVING = new RegExp(MOVES);

export const guessedPath = makePairDetector({
  name: 'distill/guessed-path@1',
  kind: 'wrong-path',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const { call, commands } = trouble;
    if (call.masked || MOVING.test(call.command ?? '')) return undefined;
    const said = trouble.toLines().filter((line) => ABSENT.test(line));
    if (said.length === 0) return undefined;
    for (const failed of commands) {
      const word = findAbsent(failed, said);
      const path = word === undefined ? undefined : toProjectPath(word, call);
      if (word === undefined || path === undefined || isThere(path, trouble)) continue;
      const later = findLater(trouble, MAX_STEPS, (one) => findInstead(failed, one, word) !== undefined);
      const instead = later === undefined ? undefined : findInstead(failed, later.command, word);
      if (later === undefined || instead === undefined) continue;
      return {
        index: later.index,
        text: {
          ...toEditText({
            claim: `\`${toCommandName(failed)}\` finds no \`${path}\` here`,
            ...{ failed, fixing: later.command, said: said[0] ?? '', lasting: [word, instead] },
            points: { words: [word], told: said.join('\n') },
            tags: [`tool:${failed.program}`, 'topic:repository-layout', GUESSED_PATH],
          }),
          summary: `\`${toCommandName(failed)}\` finds no \`${path}\` here: \`${instead}\` is there`,
        },
        triggers: {
          tools: ['shell'],
          programs: [toProgramTrigger(failed)],
          command: { match: [`\\s["']?(?:\\./)?${toLiteral(path)}/?(?:["'\\s]|$)`] },
          line: { unless: [MOVES] },
        },
        signals: later.signals,
      };
    }
    return undefined;
  },
});

/** The operand that the error calls missing. Who only looks at it is told elsewhere (`missing-path.ts`). */
function findAbsent(command: SimpleCommand, said: readonly string[]): string | undefined {
  if (isKnownAs(command.program, 'views', 'lists')) return undefined;
  return toOperands(command).find((word) => word.length > 2 && said.some((line) => namesWord(line, word)));
}

function namesWord(line: string, word: string): boolean {
  const bare = word.replace(/^\.\//, '');
  return line.includes(bare) && new RegExp(`(?:^|[\\s'"\`‘/])${toLiteral(bare)}(?:['"\`’:,.)\\s]|$)`).test(line);
}

/** All the same but for this word. */
function findInstead(failed: SimpleCommand, later: SimpleCommand, word: string): string | undefined {
  if (!isSameSubCommand(failed, later) || String(toOptions(failed)) !== String(toOptions(later))) return undefined;
  const [before, after] = [toOperands(failed), toOperands(later)];
  if (before.length !== after.length) return undefined;
  const changed = after.filter((one, i) => one !== before[i]);
  return changed.length === 1 && after[before.indexOf(word)] === changed[0] ? changed[0] : undefined;
}

/** At another time of this session it is. */
function isThere(path: string, { calls }: Trouble): boolean {
  return calls.some((call) => touchesPath(path, call));
}
