/** A lesson in parts, as the store keeps it and as people write it. */
import { z } from 'zod';

const texts = z.array(z.string()).readonly();

/** Which form belongs to which type: `base/lesson-body.ts`. */
export const lessonBodySchema = z.union([
  z.strictObject({
    title: z.string(),
    items: texts,
    format: z.enum(['ordered', 'unordered']).exactOptional(),
  }),
  z.strictObject({
    situation: z.string(),
    action: z.string(),
    rationale: z.string().exactOptional(),
    example: z.string().exactOptional(),
  }),
  z.strictObject({
    risk: z.string(),
    severity: z.string().exactOptional(),
    detection: z.string().exactOptional(),
    mitigation: z.string().exactOptional(),
  }),
  z.strictObject({
    constraint: z.string(),
    rationale: z.string().exactOptional(),
    validation: z.string().exactOptional(),
  }),
]);

const MAX_BODY = 8_000;

/** As a person gives it. */
export const bodyInputSchema = lessonBodySchema.refine(
  (parts) => JSON.stringify(parts).length <= MAX_BODY,
  `is longer than ${MAX_BODY} characters`,
);
