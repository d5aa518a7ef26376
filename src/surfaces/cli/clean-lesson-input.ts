/** A lesson that a person writes goes the way of all texts. A trigger cannot: with a marker in it, it matches nothing. */
import { UserError } from '../../base/errors.ts';
import { holdsToken } from '../../base/holds-token.ts';
import { cleanTexts } from '../../capture/clean-texts.ts';
import { makeSecretScan } from '../../capture/scan-secrets.ts';

const WORDS = ['summary', 'mistake', 'remediation'] as const;

type Given = { readonly [K in (typeof WORDS)[number]]?: string | undefined } & {
  readonly tags?: readonly string[] | undefined;
  readonly triggers?: object | undefined;
};

/** The whole of a lesson, or what is to change of one. */
export async function cleanLessonInput<T extends Given>(input: T): Promise<T> {
  if (input.triggers !== undefined && holdsToken(JSON.stringify(input.triggers))) {
    throw new UserError({
      subject: 'the lesson',
      reason: 'has a secret in its trigger',
      next: 'name the program and the option without its value',
    });
  }
  const scan = makeSecretScan({ log: () => {} });
  const given = WORDS.filter((key) => input[key] !== undefined);
  const texts = await cleanTexts([...given.map((key) => input[key] ?? ''), ...(input.tags ?? [])], scan);
  const words = Object.fromEntries(given.map((key, i) => [key, texts[i] ?? '']));
  return { ...input, ...words, ...(input.tags === undefined ? {} : { tags: texts.slice(given.length) }) };
}
