/** Why a lesson whose every word comes from outside must wait for a person. Empty when it may advise. */
import type { Lesson } from '../../base/lesson.ts';
import { findRisks } from './judge-remedy.ts';
import { findPoison } from './poison-shapes.ts';
import { runsPackage } from './runs-package.ts';
import { toPlainLine } from './to-plain-line.ts';

type Words = Pick<Lesson, 'summary' | 'mistake' | 'remediation' | 'body' | 'triggers' | 'tags'>;

export function judgeForeign({ summary, mistake, remediation, body, triggers, tags }: Words): readonly string[] {
  const parts = Object.values(body ?? {}).flatMap((value) => (Array.isArray(value) ? value.map(String) : [`${value}`]));
  const advice = [summary, remediation, ...parts];
  const poisons = [...advice, mistake, ...tags].map((text) => findPoison(toPlainLine(text)));
  const isCommand = advice.some((text) => findPoison(toPlainLine(text)) === 'command');
  const risks = advice.flatMap((text) => findRisks(text, { named: [] })).map(({ reason }) => reason);
  return [
    ...new Set([
      ...(poisons.includes('attack') ? ['its words speak to the agent as no lesson does'] : []),
      ...(isCommand ? ['it names a command that fetches, sends or destroys'] : []),
      ...risks,
      ...(advice.some(runsPackage) ? ['it runs a package by its name, whoever has that name'] : []),
      ...(isAimed(triggers) ? [] : ['it would speak at every call of a tool']),
    ]),
  ];
}

function isAimed({ programs, command, line, paths, content, input }: Lesson['triggers']): boolean {
  return [programs, command, line, paths, content, input].some((part) => part !== undefined);
}
