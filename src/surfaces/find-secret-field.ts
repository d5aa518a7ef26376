/** The field of a lesson that holds a secret, by the rules that all captured text goes through. For what others will read. */
import type { Lesson } from '../base/lesson.ts';
import { cleanTexts } from '../capture/clean-texts.ts';
import type { SecretScan } from '../capture/scan-secrets.ts';
import { findTriggerSecret } from './find-trigger-secret.ts';

type Told = Pick<Lesson, 'summary' | 'mistake' | 'remediation' | 'body' | 'triggers' | 'tags'>;

export async function findSecretField(lesson: Told, scan: SecretScan): Promise<string | undefined> {
  const fields = listTexts(lesson);
  const clean = await cleanTexts(
    fields.map(({ text }) => text),
    scan,
  );
  const found = fields.find(({ text }, i) => clean[i] !== text);
  if (found !== undefined) return found.name;
  const part = findTriggerSecret(lesson.triggers);
  if (part !== undefined) return part;
  const triggers = JSON.stringify(lesson.triggers);
  return (await scan([triggers]))[0] === triggers ? undefined : 'triggers';
}

export function listTexts({ summary, mistake, remediation, body, tags }: Omit<Told, 'triggers'>) {
  const parts = Object.entries(body ?? {}).flatMap(([key, value]) =>
    (Array.isArray(value) ? value.map(String) : [`${value}`]).map((text) => ({ name: `body.${key}`, text })),
  );
  return [
    { name: 'summary', text: summary },
    { name: 'mistake', text: mistake },
    { name: 'remediation', text: remediation },
    ...parts,
    ...tags.map((text) => ({ name: 'tags', text })),
  ];
}
