/** What this shell (zsh, mostly) does not take: a variable of its own as a name, a bare word of equals signs. */

import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { hasRun } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toCommandStart, UNQUOTED } from './unquoted.ts';

const MAX_STEPS = 4;
/** They set variables, too. */
const SETTING = 'export|local|typeset|declare|readonly|integer';

interface Rule {
  readonly said: RegExp;
  readonly match: (word: string) => string;
  /** The programs whose words it is about; the whole line where there are none. */
  readonly programs?: readonly string[];
  readonly summary: (word: string) => string;
  readonly remediation: (word: string) => string;
}

const RULES: readonly Rule[] = [
  {
    said: /^\S*: ?read-only variable: (\w+)$/,
    // `make status=1` gives a word to a program: only where a command begins is a variable of the shell set.
    match: (word) => `${toCommandStart(SETTING)}${word}=`,
    summary: (word) => `\`${word}\` is a read-only variable of this shell (zsh): use another name`,
    remediation: (word) => `Use another name for it, such as \`my_${word}\``,
  },
  {
    said: /^\S*: (=+) not found$/,
    match: () => `${UNQUOTED}\\s==+(?:\\s|$)`,
    programs: ['echo', 'printf'],
    summary: () => 'This shell (zsh) takes a bare `===` for a command to look up: quote it, as in `echo "==="`',
    remediation: () => 'Put `===` in quotes, as in `echo "==="`',
  },
];

export const shellWord = makePairDetector({
  name: 'distill/shell-word@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure({ calls, index, toLines, commandsOf }) {
    for (const line of toLines()) {
      for (const rule of RULES) {
        const word = rule.said.exec(line)?.[1];
        if (word === undefined) continue;
        const match = rule.match(word);
        const { programs } = rule;
        const texts = (at: number): readonly string[] =>
          programs === undefined
            ? [calls[at]?.command ?? '']
            : commandsOf(at).flatMap((one) => (programs.includes(one.program) ? one.text : []));
        const isWrong = (at: number): boolean => texts(at).some((text) => new RegExp(match).test(text));
        const fixed = calls.findIndex(
          (one, at) =>
            at > index &&
            one.tool === 'shell' &&
            hasRun(one) &&
            !isWrong(at) &&
            isAlike(commandsOf(index), commandsOf(at)),
        );
        if (fixed < 0 || !isWrong(index)) return undefined;
        const triggers: Triggers =
          programs === undefined
            ? { tools: ['shell'], line: { match: [match] } }
            : { tools: ['shell'], programs: programs.map((name) => ({ name })), command: { match: [match] } };
        return {
          index: fixed,
          text: {
            summary: rule.summary(word),
            mistake: `A line with \`${word}\` failed: ${toShortChars(line, 120)}`,
            remediation: rule.remediation(word),
            tags: ['topic:shell-word'],
          },
          triggers,
          intentKey: `shell ${word}`,
        };
      }
    }
    return undefined;
  },
});

/** The line was tried again: most of its programs run once more. */
function isAlike(before: readonly SimpleCommand[], after: readonly SimpleCommand[]): boolean {
  const kept = before.filter(({ program }) => after.some((one) => one.program === program));
  return before.length > 0 && kept.length * 2 >= before.length;
}
