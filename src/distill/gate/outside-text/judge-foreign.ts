/** Why a lesson whose every word comes from outside must wait for a person. Empty when it may advise. */
import type { Lesson } from '../../../base/model/lesson.ts';
import { hasTarget } from '../../../base/triggers/trigger.ts';
import { listTriggerWords } from '../../../base/triggers/trigger-parts.ts';
import { findRisks } from '../risky-remedies/judge-remedy.ts';
import { runsPackage } from '../risky-remedies/runs-package.ts';
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
      ...(advice.some(runsPackage) ? ['it runs a package by its name, whoever has that name'] : []),
      ...(hasTarget(triggers) ? [] : ['it would speak at every call of a tool']),
      ...(listTriggerWords(triggers).some(isSentence) ? ['its trigger has a sentence where a word belongs'] : []),
    ]),
  ];
}

const MAX_WORDS = 4;

function isSentence(text: string): boolean {
  return text.trim().split(/[\s_-]+/).length > MAX_WORDS && /\s/.test(text.trim());
}
