/**
 * A word that the shell replaced, because other quotes or none stand around it: it took a query in an address for a
 * pattern of file names, in zsh a word that begins with `=` for the path of a program, and the words between back quotes
 * for a command. Quotes are missing wherever such a word comes again. A call that worked with quotes shows the first two;
 * the last one follows from the error alone.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import type { Finding } from '../../../base/model/finding.ts';
import type { EditStep } from '../../../base/shell/command-edit.ts';
import { toCommandName, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isLooking } from '../../../base/shell/program-kinds.ts';
import { isOption, type SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import type { Detector } from '../../detector.ts';
import { findBlamed } from '../../episodes/find-attempt.ts';
import { type CuredCall, findCures } from '../../episodes/find-cures.ts';
import { isFailedCommand, makeFinding } from '../../episodes/make-finding.ts';
import { findRunInText, isEqualsExpanded, listExpanded } from '../../episodes/replaced-words.ts';
import { toExample, toSentence, UNMENDED } from '../../text/edit-text.ts';
import { holds } from '../repair/contrast-trigger.ts';

const NAME = 'distill/bare-word@1';

export const bareWord: Detector = {
  name: NAME,
  detect: (window) => [
    ...findCures(window).flatMap((cured) => toFinding(cured, window.calls) ?? []),
    ...window.calls.slice(window.from).flatMap((call) => toFindingOfText(call) ?? []),
  ],
};

function toFinding(cured: CuredCall, calls: readonly LiveCall[]): Finding | undefined {
  const { cure, failing, fixing, steps } = cured;
  const found = findBare(cured);
  if (found === undefined) return undefined;
  const { failed, pattern, why } = found;
  const triggers: Triggers = {
    tools: ['shell'],
    programs: [toProgramTrigger(failed)],
    command: { match: [pattern] },
  };
  const worked = calls.filter(({ outcome }) => outcome === 'success');
  if (!holds(triggers, failing) || holds(triggers, fixing) || worked.some((call) => holds(triggers, call, true)))
    return undefined;
  const name = toCommandName(failed);
  return makeFinding({
    detector: NAME,
    kind: 'corrected-command',
    failing,
    fixing,
    steps,
    intentKey: name,
    text: {
      summary: `\`${name}\` failed because ${why}: ${cure.text}`,
      mistake: `\`${name}\` failed because ${why}`,
      remediation: toSentence(cure.text),
      tags: [`tool:${failed.program}`, 'topic:quotes'],
      ...(cure.edit === undefined ? {} : { edit: cure.edit }),
      example: {
        mistake: toExample(failed, failed, failing.message ?? '').mistake,
        fix: toShortChars(fixing.command ?? '', FIX_CHARS),
      },
    },
    triggers,
    signals: ['error-fix-success'],
  });
}

const FIX_CHARS = 120;
/** A text in double quotes with a back quote that no backslash stands before. */
const RUN_IN_TEXT = `^(?:[^'"]|'[^']*'|"(?:[^"\\\\\`]|\\\\.)*")*"(?:[^"\\\\\`]|\\\\.)*\``;

/** Every shell reads double quotes in this way, so no other call has to show it. */
function toFindingOfText(failing: LiveCall): Finding | undefined {
  if (!isFailedCommand(failing) || findRunInText(failing) === undefined) return undefined;
  const failed = findBlamed(failing);
  const triggers: Triggers = { tools: ['shell'], command: { match: [RUN_IN_TEXT] } };
  if (failed === undefined || !holds(triggers, failing)) return undefined;
  const how = 'put a text that contains back quotes in single quotes, or a backslash before each of them';
  const mistake = 'The shell runs the words between back quotes as a command, also inside double quotes';
  return makeFinding({
    detector: NAME,
    kind: 'corrected-command',
    failing,
    fixing: failing,
    steps: 0,
    intentKey: 'back quotes in double quotes',
    text: {
      summary: `${mistake}: ${how}`,
      mistake,
      remediation: toSentence(how),
      tags: ['topic:quotes', UNMENDED],
      example: { mistake: toExample(failed, failed, failing.message ?? '').mistake, fix: toSentence(how) },
    },
    triggers,
    signals: ['retry-loop'],
  });
}

/** The command with the word, and the pattern of all such words. */
function findBare({ cure, failing, failed }: CuredCall) {
  if (isEqualsExpanded(failing)) {
    const [first] = listExpanded(failing);
    return first && { failed: first, pattern: `${OUTSIDE_QUOTES}\\s=\\S`, why: 'zsh replaced a word' };
  }
  const [quote, ...more] = cure.edit?.steps ?? [];
  if (failed === undefined || quote === undefined || !('quote' in quote) || more.length > 0) return undefined;
  const pattern = toBare(quote, failed);
  return pattern === undefined ? undefined : { failed, pattern, why: AS_PATTERN };
}

/** From the beginning on, over whole texts in quotes. */
const OUTSIDE_QUOTES = `^(?:[^'"]|'[^']*'|"[^"]*")*`;
const AS_PATTERN = 'the shell took a word for a pattern of file names';
const PATTERN_SIGNS = '*?[';

/** A look wants patterns of file names, except as the value of an option. */
function toBare({ quote, prefix }: Extract<EditStep, { quote: string }>, failed: SimpleCommand): string | undefined {
  const signs = [...PATTERN_SIGNS].filter((sign) => quote.includes(sign));
  const isBare = ({ text, value }: SimpleCommand['args'][number]): boolean =>
    text === value && text.startsWith(prefix ?? '') && signs.some((sign) => text.includes(sign));
  const at = failed.args.findIndex(isBare);
  if (signs.length === 0 || at < 0) return undefined;
  const option = failed.args[at - 1]?.value ?? '';
  if (isLooking(failed) && prefix === undefined && !isOption(option)) return undefined;
  const behind = isLooking(failed) && prefix === undefined ? `\\s${toLiteral(option)}\\s+` : '\\s';
  return `${OUTSIDE_QUOTES}${behind}${toLiteral(prefix ?? '')}[^\\s'"\\\\$\`]*[${signs.map((sign) => (sign === '[' ? '\\[' : sign)).join('')}][^\\s'"]*(?:\\s|$)`;
}
