/**
 * The detectors that earlier versions had, by the name that their lessons carry. General proposers took their place. A
 * lesson of theirs stays if a person backs it, or if the mistake came again in another session.
 */
import type { Lesson } from '../base/model/lesson.ts';
import { isBackedByPerson } from '../base/model/lesson-trust.ts';

const FORMER: ReadonlySet<string> = new Set(
  [
    'ambiguous-edit behind-dashes broken-tool changed-form changed-parameter changed-runner directory-as-file',
    'directory-read guessed-path large-file misnamed-file missing-option missing-path missing-precondition',
    'missing-variable named-command outdated-edit script-syntax sed-in-place shell-word swapped-option too-many-words',
    'unmatched-edit unquoted-pattern unread-edit wrong-endpoint wrong-folder',
  ]
    .join(' ')
    .split(' '),
);

/** In so many sessions a mistake is no chance. */
const PROVEN_SESSIONS = 2;

/** No present proposer would learn it, and only one session showed it. */
export function isLeftOver(lesson: Lesson): boolean {
  const { origin, sessions } = lesson;
  if (origin.kind !== 'episode' || sessions >= PROVEN_SESSIONS || isBackedByPerson(lesson)) return false;
  const [, name = ''] = /^distill\/([\w-]+)@\d+$/.exec(origin.by) ?? [];
  return FORMER.has(name);
}
