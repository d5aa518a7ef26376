/** A directory of the project that was read like a file. */

import { toOperands } from '../../../base/shell/command-words.ts';
import { isKnownAs, listPrograms } from '../../../base/shell/programs/all-facts.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { HUSHED } from './hushed.ts';
import { toPlace } from './to-place.ts';
import { toProjectPath } from './to-project-path.ts';

const MAX_STEPS = 4;
const DIRECTORY = /^(\w+): (?:error reading ['"]?)?(\S+?)['"]?: Is a directory$/i;

export const directoryAsFile = makePairDetector({
  name: 'distill/directory-as-file@1',
  kind: 'wrong-path',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const [, program = '', path = ''] = trouble.toLines().flatMap((line) => DIRECTORY.exec(line) ?? []);
    if (!isKnownAs(program, 'views')) return undefined;
    const inProject = toProjectPath(path, trouble.call);
    const place = toPlace(trouble.calls, trouble.call.cwd);
    if (inProject === undefined || place === undefined) return undefined;
    const isListed = (words: readonly string[]): boolean => words.some((word) => word.startsWith(path));
    const later = findLater(trouble, MAX_STEPS, (one) => one.program !== program && isListed(toOperands(one)));
    if (later === undefined) return undefined;
    return {
      index: later.index,
      text: {
        summary: `\`${inProject}\` is a directory, not a file: list it with \`ls ${inProject}\``,
        mistake: `\`${program} ${inProject}\` failed: Is a directory`,
        remediation: `List it with \`ls ${inProject}\``,
        tags: ['topic:repository-layout'],
      },
      triggers: {
        tools: ['shell'],
        programs: listPrograms('views').map((name) => ({ name })),
        command: {
          match: [`[\\s"'](?:\\./|/\\S*/${toLiteral(place)}/)?${toLiteral(inProject)}/?(?:["'\\s]|$)`],
          unless: [HUSHED],
        },
        directory: { in: place },
      },
      intentKey: `read ${inProject}`,
      signals: later.signals,
    };
  },
});
