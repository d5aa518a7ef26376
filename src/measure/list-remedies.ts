/** What a lesson says to do, as commands: the code in its words, or all of them where they were observed as a command. */
import type { Lesson } from '../base/lesson.ts';
import { parseCommand } from '../base/parse-command.ts';
import type { SimpleCommand } from '../base/simple-command.ts';

const CODE = /`([^`\n]+)`/g;
/** A program, behind variables that are set for it: words for people begin otherwise. */
const COMMAND = /^(?:[A-Za-z_]\w*=\S*\s+)*(?:\.{0,2}\/)?[a-z0-9_][\w.+/-]*(?:\s|$)/;

export function listRemedies({
  remediation,
  origin,
}: Pick<Lesson, 'remediation' | 'origin'>): readonly SimpleCommand[] {
  const code = Array.from(remediation.matchAll(CODE), ([, text = '']) => text);
  const isCommand = code.length === 0 && origin.kind === 'episode' && COMMAND.test(remediation);
  return (isCommand ? [remediation] : code)
    .flatMap((text) => parseCommand(text))
    .filter(({ program }) => program !== '');
}
