/** Why a lesson whose every word comes from outside must wait for a person. Empty when it may advise. */

import type { Lesson } from '../../../base/model/lesson.ts';
import { hasTarget, type Triggers } from '../../../base/triggers/trigger.ts';
import { listTriggerWords } from '../../../base/triggers/trigger-parts.ts';
import { findRisks } from '../risky-remedies/judge-remedy.ts';
import { findPoison } from './poison-shapes.ts';
import { toPlainLine } from './to-plain-line.ts';

type Words = Pick<Lesson, 'summary' | 'mistake' | 'remediation' | 'body' | 'triggers' | 'tags'> &
  Partial<Pick<Lesson, 'slug'>>;

export function judgeForeign(lesson: Words): readonly string[] {
  const { slug = '', summary, mistake, remediation, body, triggers, tags } = lesson;
  const parts = Object.values(body ?? {}).flatMap((value) => (Array.isArray(value) ? value.map(String) : [`${value}`]));
  const advice = [summary, remediation, ...parts];
  // Its name and the words of its trigger stand in what the model reads, too.
  const named = [slug.replaceAll('-', ' '), ...listTriggerWords(triggers)];
  const poisons = [...advice, mistake, ...tags, ...named].map((text) => findPoison(toPlainLine(text)));
  const isCommand = advice.some((text) => findPoison(toPlainLine(text)) === 'command');
  const risks = advice.flatMap((text) => findRisks(text, { named: [] })).map(({ reason }) => reason);
  return [
    ...new Set([
      ...(poisons.includes('attack') ? ['its words speak to the agent as no lesson does'] : []),
      ...(isCommand ? ['it names a command that fetches, sends or destroys'] : []),
      ...risks,
      ...(advice.some(runsPackage) ? [RUNS_PACKAGE] : []),
      ...judgeTriggerWords(triggers),
    ]),
  ];
}

export const RUNS_PACKAGE = 'it runs a package by its name, whoever has that name';

/** The words of a trigger stand in what the model reads, too. */
export function judgeTriggerWords(triggers: Triggers): readonly string[] {
  return [
    ...(hasTarget(triggers) ? [] : ['it would fire on every call of a tool']),
    ...(listTriggerWords(triggers).some(isSentence) ? ['its trigger has a sentence where a word belongs'] : []),
  ];
}

const MAX_WORDS = 4;

function isSentence(text: string): boolean {
  return text.trim().split(/[\s_-]+/).length > MAX_WORDS && /\s/.test(text.trim());
}

/**
 * Whether a text has a command that fetches a package by its name and runs it. An ordinary fix where it was seen to
 * work; from a file that anybody may have written it is a download that is run.
 */
const RUNNERS: readonly RegExp[] = [
  // Only what is installed already: `--no`, `--no-install`.
  /\b(?:npx|bunx|pnpx|uvx)\s+(?!(?:-\S+\s+)*--no(?:-install)?\s)(?:-\S+\s+)*["']?[\w@]/i,
  /\b(?:pnpm|yarn)\s+(?:-\S+\s+)*dlx\s+\S/i,
  /\b(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:exec|x|create|init)\s+(?:-\S+\s+)*["']?[\w@]/i,
  /\b(?:pipx|uv\s+tool)\s+run\s+(?:-\S+\s+)*["']?\w/i,
  /\bdeno\s+run\s+(?:-\S+\s+)*["']?(?:npm|jsr):/i,
  /\bgo\s+run\s+(?:-\S+\s+)*["']?[\w-]+\.[\w.-]+\/\S/i,
  /\bnix\s+(?:run|shell)\s+\S/i,
];

export function runsPackage(text: string): boolean {
  const plain = text.normalize('NFKC');
  return RUNNERS.some((pattern) => pattern.test(plain));
}
