/** What makes two lessons the same text, and what makes two findings the same lesson. */

import { createHash } from 'node:crypto';
import type { Finding } from '../../base/model/finding.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { dropAbsent, toCanonicalJson } from '../../base/records.ts';
import type { CommandEdit } from '../../base/shell/command-edit.ts';
import { findSaidWords, USER_RULE } from './same-rule.ts';

export function toContentHash(content: Pick<Lesson, 'mistake' | 'remediation' | 'triggers'>): string {
  const { mistake, remediation, triggers } = content;
  return `sha256:${createHash('sha256').update(toCanonicalJson({ mistake, remediation, triggers })).digest('hex')}`;
}

/** What programs and tools know of their own input is the same everywhere; scripts, tasks and the PATH are a project's. */
export const PROGRAM_TOPICS: ReadonlySet<string> = new Set(
  [
    'cli-flag',
    'cli-value',
    'cli-command',
    'cli-words',
    'cli-form',
    'api-path',
    'script-syntax',
    'shell-quoting',
    'shell-word',
    'working-directory',
    'tool-schema',
    'tool-order',
    'known-fix',
    'hang',
  ].map((topic) => `topic:${topic}`),
);

/** Is it about what a program or tool is given? Such lessons are merged and tested across projects. */
export function isAboutProgram({ tags }: Pick<Lesson, 'tags'>): boolean {
  return tags.some((tag) => PROGRAM_TOPICS.has(tag));
}

/**
 * The same mistake has the same key, whatever the numbers, paths and fixes around it were: findings with the key of a
 * lesson are more evidence of it. `projectId` is the finding's, or the id of the lesson's scope.
 */
export function toMergeKey(about: Mergeable, projectId: string | undefined): string {
  const session = findSession(about);
  const project = session ?? (isAboutProgram(about) ? '' : (projectId ?? ''));
  // Words that only somebody said are one with the same words: what calls prove must not grow on them, nor they on it.
  // A call may be refused for several reasons, and then the user's words are all that is known of them.
  const words = isWordsOnly(about) || isSaidOnly(about) ? { words: about.remediation } : {};
  const failure =
    about.triggers.failure === true
      ? {
          failure: about.signatureId ?? about.signature?.id,
          ...dropAbsent({ gone: listGone(about), tool: about.tags.find((tag) => tag.startsWith('tool:')) }),
          // What a shell says has one signature, whatever program it did not run: the kind of fix tells mistakes apart.
          ...(about.tags.includes(OF_SHELL) ? { fix: about.remediation?.replace(NAMED, '`…`') } : {}),
        }
      : {};
  return toCanonicalJson({ triggers: about.triggers, project, ...words, ...failure });
}

/** The tag of a lesson about what the shell itself says. */
const OF_SHELL = 'tool:shell';
const NAMED = /`[^`]+`(?: or `[^`]+`)*/g;

type Mergeable = Pick<Lesson, 'triggers' | 'tags'> & {
  readonly remediation?: string;
  readonly edit?: CommandEdit;
  readonly origin?: Lesson['origin'] | Finding['origin'];
  readonly trust?: Finding['trust'];
  readonly scope?: Lesson['scope'] | Finding['scope'];
  readonly sessionId?: string;
  readonly signatureId?: string;
  readonly signature?: Finding['signature'];
};

/** One message may be about several words of a call: a fix that takes another word away mends another mistake. */
function listGone({ edit }: Mergeable): readonly string[] | undefined {
  const gone = (edit?.steps ?? []).flatMap((step) =>
    'from' in step && step.at !== 0 ? step.from.filter((word) => typeof word === 'string') : [],
  );
  return gone.length === 0 ? undefined : gone;
}

/** A report that no failing call stands behind. */
function isWordsOnly({ origin, trust }: Mergeable): boolean {
  const from = typeof origin === 'object' ? origin : { kind: origin, trust };
  return from.kind === 'self-report' && from.trust === 'foreign';
}

function isSaidOnly({ tags, remediation = '' }: Mergeable): boolean {
  return tags.includes(USER_RULE) && findSaidWords(remediation) !== undefined;
}

/** What is true in one session only is known again in no other. */
function findSession({ scope, sessionId }: Mergeable): string | undefined {
  if (scope === 'session') return sessionId;
  return typeof scope === 'object' && scope.kind === 'session' ? scope.id : undefined;
}
