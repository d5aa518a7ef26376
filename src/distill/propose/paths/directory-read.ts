/**
 * A directory of the project that was given to the tool that reads files. The shell's form is `directory-as-file.ts`. It is
 * another directory every time: what they have in common is a name without an extension. Where files have such names, too,
 * the project's own past says so (`gate/gate-finding.ts`).
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import { toOperands } from '../../../base/shell/command-words.ts';
import { isInFolder, toPlainPath } from '../../../base/text/paths.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toPathGlob } from './to-path-glob.ts';
import { toProjectPath } from './to-project-path.ts';

const MAX_STEPS = 4;
const DIRECTORY = /\bEISDIR\b|\bis a directory\b/i;
/** A package, a module, a folder of sources. */
const BARE = /^[a-z][\w-]*$/;
/** Scripts have no extension, nor have files of the system. */
const FILES = [
  '**/*.*',
  '**/.*/**',
  '**/{bin,sbin,hooks,scripts}/*',
  '/{etc,dev,proc,sys,tmp,var,usr}/**',
  '**/{makefile,justfile,dockerfile,procfile,gradlew,mvnw,configure,hosts}',
];
const WIDE: Triggers = { tools: ['read'], paths: ['**/[a-z]*'], unless: { paths: FILES } };

export const directoryRead = makePairDetector({
  name: 'distill/directory-read@1',
  kind: 'wrong-path',
  maxSteps: MAX_STEPS,
  isTrouble: ({ tool, outcome, targetPath, output = '' }) =>
    tool === 'read' && outcome === 'failure' && targetPath !== undefined && isDirectory(output),
  findCure(trouble) {
    const { calls, index, call } = trouble;
    const inProject = toProjectPath(call.targetPath ?? '', call);
    const glob = toPathGlob(calls, call, inProject);
    if (inProject === undefined || glob === undefined) return undefined;
    const found = calls.findIndex((one, at) => at > index && isLookedInto(trouble, one, at, inProject));
    if (found < 0) return undefined;
    const isWide = isBare(inProject);
    return {
      index: found,
      text: {
        // As wide as the trigger: one that speaks at any such path names none.
        summary: isWide
          ? 'Paths without an extension are often directories here, not files: list them with `ls` first'
          : `\`${inProject}\` is a directory, not a file: list it with \`ls ${inProject}\``,
        mistake: isWide
          ? 'Reading a path without an extension failed: it is a directory'
          : `Reading \`${inProject}\` failed: it is a directory`,
        remediation: isWide ? 'List the path with `ls` first' : `List it with \`ls ${inProject}\``,
        tags: ['topic:repository-layout'],
        example: { mistake: `Reading \`${inProject}\` failed: it is a directory`, fix: `ls ${inProject}` },
      },
      triggers: isWide ? WIDE : { tools: ['read'], paths: [glob] },
      intentKey: isWide ? 'read a directory' : `read ${inProject}`,
      signals: ['fix-confirmed'],
    };
  },
});

/** None of those that may well be files. */
function isBare(path: string): boolean {
  const parts = path.split('/');
  const folder = parts.at(-2) ?? '';
  return (
    BARE.test(parts.at(-1) ?? '') &&
    !parts.some((part) => part.startsWith('.')) &&
    !/^(?:s?bin|hooks|scripts)$/.test(folder)
  );
}

/** What a file holds comes after the first line. */
function isDirectory(output: string): boolean {
  return DIRECTORY.test(output.trimStart().split('\n', 1)[0] ?? '');
}

/** It was listed or searched, or a file in it was read. */
function isLookedInto({ call, commandsOf }: Trouble, later: LiveCall, at: number, inProject: string): boolean {
  if (!hasWorked(later)) return false;
  const whole = toPlainPath(call.targetPath ?? '');
  if (later.tool === 'read') return toPlainPath(later.targetPath ?? '').startsWith(`${whole}/`);
  if (later.tool === 'glob' || later.tool === 'grep') return later.inputSummary?.includes(inProject) ?? false;
  const words = commandsOf(at).flatMap(toOperands);
  return words.map(toPlainPath).some((word) => isInFolder(word, whole) || isInFolder(word, inProject));
}
