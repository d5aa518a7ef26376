/** A path that git ignores was to be added: every `git add` that names something under it ends with an error. */
import { toCommandName, toOperands, toOptions } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isInFolder, toPlainPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-finding.ts';
import { toExample } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 12;
const IGNORED = /^The following paths are ignored by one of your \.gitignore files:/;
const FORCED = ['-f', '--force'];

export const ignoredPath = makePairDetector({
  name: 'distill/ignored-path@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findFix(failure) {
    const path = findIgnored(failure.toLines());
    const failed = failure.commands.find((command) => toCommandName(command) === 'git add');
    if (path === undefined || failed === undefined || !names(failed, path) || isForced(failed)) return undefined;
    // Some of the same, without what is ignored: not simply everything.
    const isFix = (one: SimpleCommand): boolean => toOperands(one).length > 0 && isForced(one) === names(one, path);
    const later = findLater(failure, MAX_STEPS, (one) => isSameSubCommand(failed, one) && isFix(one));
    if (later === undefined) return undefined;
    const how = isForced(later.command) ? 'add `-f` if the file is wanted' : 'leave such paths out';
    return {
      index: later.index,
      text: {
        summary: `git ignores \`${path}\`, and \`git add\` of a path in it ends with an error: ${how}`,
        mistake: `\`${toShortCommand(failed, 120)}\` failed: \`${path}\` is ignored by .gitignore`,
        remediation: isForced(later.command) ? 'Add `-f`' : `Leave out the paths in \`${path}\``,
        tags: ['tool:git', 'topic:ignored-path'],
        example: toExample(failed, later.command, `\`${path}\` is ignored by .gitignore`),
      },
      triggers: {
        tools: ['shell'],
        programs: [{ name: 'git', sub: ['add'], args: { none: FORCED } }],
        command: { match: [`(?:^|[\\s"'])(?:\\./)?${toLiteral(path)}(?:[/\\s"']|$)`] },
      },
      signals: later.signals,
    };
  },
});

/** Git names the paths on the lines that follow, before its hints. */
function findIgnored(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => IGNORED.test(line));
  const path = at < 0 ? undefined : lines[at + 1];
  return path === undefined || /^hint:|\s/.test(path) ? undefined : path.replace(/\/$/, '');
}

function names(command: SimpleCommand, path: string): boolean {
  return toOperands(command).some((word) => isInFolder(toPlainPath(word), path));
}

function isForced(command: SimpleCommand): boolean {
  return toOptions(command).some((option) => FORCED.includes(option));
}
