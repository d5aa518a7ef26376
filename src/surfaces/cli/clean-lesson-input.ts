/** A lesson that a person writes goes the way of all texts. A trigger cannot: with a marker in it, it matches nothing. */
import { UserError } from '../../base/errors.ts';
import { holdsToken } from '../../base/holds-token.ts';
import { cleanTexts } from '../../capture/clean-texts.ts';
import { makeSecretScan } from '../../capture/scan-secrets.ts';
import type { LessonInput } from '../../keep/lesson-input-schema.ts';

export async function cleanLessonInput(input: LessonInput): Promise<LessonInput> {
  const { summary, mistake, remediation, tags } = input;
  if (holdsToken(JSON.stringify(input.triggers))) {
    throw new UserError({
      subject: 'the lesson',
      reason: 'has a secret in its trigger',
      next: 'name the program and the option without its value',
    });
  }
  const scan = makeSecretScan({ log: () => {} });
  const [summaryText = '', mistakeText = '', remediationText = '', ...tagTexts] = await cleanTexts(
    [summary, mistake, remediation, ...tags],
    scan,
  );
  return { ...input, summary: summaryText, mistake: mistakeText, remediation: remediationText, tags: tagTexts };
}
