/** A lesson that a person writes goes the way of all texts. A trigger cannot: with a marker in it, it matches nothing. */
import { UserError } from '../../base/errors.ts';
import type { LessonBody } from '../../base/lesson-body.ts';
import type { Triggers } from '../../base/trigger.ts';
import { cleanTexts } from '../../capture/clean-texts.ts';
import { makeSecretScan } from '../../capture/scan-secrets.ts';
import { findTriggerSecret } from '../find-trigger-secret.ts';
import { listTexts, mapTexts } from '../import/map-texts.ts';
import { toPlainText } from './to-plain-text.ts';

const WORDS = ['summary', 'mistake', 'remediation'] as const;

type Given = {
  readonly body?: LessonBody | undefined;
} & { readonly [K in (typeof WORDS)[number]]?: string | undefined } & {
  readonly tags?: readonly string[] | undefined;
  readonly triggers?: Triggers | undefined;
};

/** The whole of a lesson, or what is to change of one. */
export async function cleanLessonInput<T extends Given>(input: T): Promise<T> {
  if (input.triggers !== undefined) checkTriggers(input.triggers);
  const scan = makeSecretScan({ log: () => {} });
  const given = WORDS.filter((key) => input[key] !== undefined);
  const texts = await cleanTexts(
    [...given.map((key) => input[key] ?? ''), ...(input.tags ?? [])].map(toPlainText),
    scan,
  );
  const words = Object.fromEntries(given.map((key, i) => [key, texts[i] ?? '']));
  const { body } = input;
  return {
    ...input,
    ...words,
    ...(input.tags === undefined ? {} : { tags: texts.slice(given.length) }),
    ...(body === undefined ? {} : { body: await mapTexts(body, (all) => cleanTexts(all.map(toPlainText), scan)) }),
  };
}

function checkTriggers(triggers: Triggers): void {
  const secret = findTriggerSecret(triggers);
  if (secret !== undefined)
    throw refuse(`has a secret in its ${secret}`, 'name the program and the option without its value');
  if (listTexts(triggers).some((text) => toPlainText(text) !== text))
    throw refuse('has control characters in its triggers', 'write them as escapes, or leave them out');
}

function refuse(reason: string, next: string): UserError {
  return new UserError({ subject: 'the lesson', reason, next });
}
