/**
 * A file argument of the wrong form: `go run x_test.go`, `go build -o file ./...`. The program names a word of the command
 * in its error, and the command that worked had the same options and an argument of another form.
 */
import { toCommandName, toOperands, toOptions, toOptionTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import { isLooking } from '../../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { findLater } from '../../episodes/find-later.ts';
import { isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toEditText } from '../../text/edit-text.ts';

const MAX_STEPS = 4;
/** Something is not there: which word is wrong depends on the day. */
const ABSENT =
  /no such file|not found|no matches|does ?n[o']t exist|cannot find|no files? (?:match|found)|unknown revision|did not match/i;

export const changedForm = makePairDetector({
  name: 'distill/changed-form@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const output = trouble.call.output ?? '';
    if (trouble.call.masked || isVerdict(output) || isWorld(output)) return undefined;
    const blamed = findBlamed(trouble);
    if (blamed === undefined) return undefined;
    const { command: failed, line, word } = blamed;
    const later = findLater(trouble, MAX_STEPS, (one) => isReformed(failed, one));
    const gone = later === undefined ? [] : toGone(failed, later.command);
    if (later === undefined || gone.length === 0) return undefined;
    const name = [toCommandName(failed), ...toOptions(failed)].join(' ');
    return {
      index: later.index,
      text: toEditText({
        claim: `\`${name}\` does not take ${gone.map((form) => `\`*${form}\``).join(' with ')}`,
        ...{ failed, fixing: later.command, said: line, tags: [`tool:${failed.program}`, 'topic:cli-form'] },
        points: { words: toOperands(failed).filter((one) => gone.includes(toForm(one))), told: output },
        otherwise: `name what is meant without ${gone.map((form) => `\`${form}\``).join(' and ')}`,
      }),
      triggers: {
        tools: ['shell'],
        programs: [toOptionTrigger(failed)],
        command: {
          match: [`${gone.map((form) => `${toLiteral(form)}["']?`).join('\\s.*')}(?:\\s|$)`],
          ...toUnless(failed, word),
        },
      },
      signals: later.signals,
    };
  },
});

interface Blamed {
  readonly command: SimpleCommand;
  readonly line: string;
  /** Of the command, that the line names. */
  readonly word: string;
}

/** Where the error names the value of an option, another form of that one may be right: a folder, or nothing at all. */
function toUnless({ args }: SimpleCommand, word: string): { readonly unless?: readonly string[] } {
  const at = args.findIndex(({ value }) => value === word || value.endsWith(`=${word}`));
  const option = args[at]?.value === word ? args[at - 1]?.value : args[at]?.value.split('=', 1)[0];
  if (option === undefined || !isOption(option) || word.endsWith('/')) return {};
  return { unless: [`\\s${toLiteral(option)}[=\\s]+["']?(?:\\S*/|/dev/null)["']?(?:\\s|$)`] };
}

/** One short complaint that names a word of one of the commands. */
function findBlamed({ toLines, commands }: Trouble): Blamed | undefined {
  const lines = toLines();
  if (lines.length > 4 || lines.some((line) => ABSENT.test(line))) return undefined;
  for (const line of lines) {
    const toNamed = ({ args }: SimpleCommand): string | undefined =>
      args.find(({ value }) => value.length > 4 && value.includes('/') && line.includes(value))?.value;
    const named = commands.filter((one) => toNamed(one) !== undefined);
    const [command] = named.filter((one) => !isLooking(one) && toOperands(one).some((word) => toForm(word) !== ''));
    if (command !== undefined) return { command, line, word: toNamed(command) ?? '' };
  }
  return undefined;
}

/** `/...` of a package pattern, `_test.go`, else the ending. */
function toForm(word: string): string {
  if (!/[/.]/.test(word)) return '';
  return /\/\.\.\.$|[_.](?:test|spec)\.\w+$|\.\w{1,5}$/.exec(word)?.[0] ?? '';
}

function isReformed(failed: SimpleCommand, later: SimpleCommand): boolean {
  if (!isSameSubCommand(failed, later)) return false;
  const kept = toOptions(later);
  return toOptions(failed).every((option) => kept.includes(option)) && toOperands(later).length > 0;
}

/** The forms that the working command no longer has, in their order. */
function toGone(failed: SimpleCommand, later: SimpleCommand): readonly string[] {
  const left = toOperands(later).map(toForm);
  const forms = toOperands(failed)
    .map(toForm)
    .filter((form) => form !== '' && !left.includes(form));
  return [...new Set(forms)];
}
