/**
 * A path of the project that is not there, and was looked for. Nothing mends that, and looking once is no mistake: the gate
 * lets it pass only when the same path was missing before, too (`gate-lesson.ts`).
 */
import { toPositionals } from '../../base/program-words.ts';
import type { SimpleCommand } from '../../base/simple-command.ts';
import { HUSHED } from '../hushed.ts';
import { makePairDetector } from '../make-pair-detector.ts';
import { toLiteral } from '../to-literal.ts';
import { toProjectPath } from '../to-project-path.ts';
import { toShortCommand } from '../to-short-command.ts';

/** Programs that show a file or a folder and do nothing else. */
const SHOWING = ['ls', 'cat', 'bat', 'head', 'tail', 'less', 'more', 'sed', 'wc', 'nl', 'stat', 'file', 'tree'];
const ABSENT = /^([\w-]+): .*no such file or directory/i;
/** Who provides for its absence makes no mistake, and behind a `cd` it is another path. */
const PROVIDED = '\\|\\||(?:^|[\\s;&|(])(?:cd|pushd|test|\\[|if)\\s';
const PROVIDES = new RegExp(PROVIDED);

export const missingPath = makePairDetector({
  name: 'distill/missing-path@1',
  kind: 'wrong-path',
  maxSteps: 0,
  signals: ['retry-loop'],
  findCure({ call, commands, index, toLines }) {
    if (PROVIDES.test(call.command ?? '')) return undefined;
    const lines = toLines();
    const failed = commands.find((command) => findAbsent(command, lines) !== undefined);
    const word = failed === undefined ? undefined : findAbsent(failed, lines);
    if (failed === undefined || word === undefined || toProjectPath(word, call) === undefined) return undefined;
    const path = word.replace(/^\.\//, '').replace(/\/+$/, '');
    return {
      index,
      text: {
        summary: `\`${path}\` was looked for here before, more than once, and was not there`,
        mistake: `\`${toShortCommand(failed, 200)}\` failed again: No such file or directory`,
        remediation: `Go on without \`${path}\`, or list the folder that it should be in`,
        tags: ['topic:repository-layout'],
      },
      triggers: {
        tools: ['shell'],
        programs: SHOWING.map((name) => ({ name })),
        command: { match: [`(?:^|[\\s"'])(?:\\./)?${toLiteral(path)}/*(?:["'\\s]|$)`], unless: [HUSHED] },
        line: { unless: [PROVIDED] },
      },
      intentKey: `look ${path}`,
    };
  },
});

/** The word that its error calls missing. */
function findAbsent(command: SimpleCommand, lines: readonly string[]): string | undefined {
  if (!SHOWING.includes(command.program)) return undefined;
  const said = lines.filter((line) => ABSENT.exec(line)?.[1] === command.program);
  return toPositionals(command).find((word) => said.some((line) => namesWord(line, word)));
}

function namesWord(line: string, word: string): boolean {
  return line.includes(word) && new RegExp(`[\\s'"‘]${toLiteral(word)}['"’]?(?::| for )`).test(line);
}
