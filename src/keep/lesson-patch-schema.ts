/** What a person may change of a lesson: only what is given changes. */
import { z } from 'zod';
import { DELIVERY_MODES } from '../base/lesson.ts';
import { bodyInputSchema } from './lesson-body-schema.ts';
import { lessonInputSchema } from './lesson-input-schema.ts';

const { type, summary, mistake, remediation, triggers, priority, tags } = lessonInputSchema.shape;
/** With a zone, or a day; compared as text with our own times. */
const moment = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\d(?:T.*(?:Z|[+-]\d\d:?\d\d))?$/.test(text) && !Number.isNaN(Date.parse(text)),
    'is not a day or a time with its zone: 2026-01-31 or 2026-01-31T12:00:00Z',
  )
  .transform((text) => new Date(text).toISOString());
const scope = z.union(
  [
    z.strictObject({ kind: z.enum(['user', 'team']) }),
    z.strictObject({ kind: z.enum(['project', 'session']), id: z.string().min(1) }),
  ],
  'is not {"kind": "user"}, {"kind": "team"} or {"kind": "project", "id": "prj_…"}',
);

export const lessonPatchSchema = z.strictObject({
  type: type.unwrap().optional(),
  summary: summary.optional(),
  mistake: mistake.unwrap().optional(),
  remediation: remediation.unwrap().optional(),
  body: bodyInputSchema.optional(),
  triggers: triggers.optional(),
  priority: priority.unwrap().optional(),
  tags: tags.unwrap().optional(),
  mode: z.enum(DELIVERY_MODES).optional(),
  scope: scope.optional(),
  validFrom: moment.nullable().optional(),
  validUntil: moment.nullable().optional(),
});
