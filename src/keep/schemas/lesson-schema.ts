/** The zod schema of a whole lesson, as the store keeps it and commands print it. */
import * as z from 'zod';
import {
  ARCHIVAL_CAUSES,
  DELIVERY_MODES,
  EXCERPT_CHARS,
  LESSON_STATUSES,
  LESSON_TYPES,
  type Lesson,
  ORIGIN_KINDS,
  SCOPE_KINDS,
} from '../../base/model/lesson.ts';
import type { Same } from '../../base/records.ts';
import { OBJECT_KINDS } from '../../base/shell/object-kind.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { lessonBodySchema, triggersSchema } from './lesson-input-schema.ts';

/** A draft without a trigger stays silent until a person adds one. */
export const storedTriggersSchema = z.union([
  triggersSchema,
  z.strictObject({ programs: z.array(z.never()).max(0) }),
]) as unknown as z.ZodType<Triggers>;
const texts = z.array(z.string()).readonly();
const count = z.int().min(0);
const time = z.string().describe('An ISO time.');
const scope = z.strictObject({ kind: z.enum(SCOPE_KINDS), id: z.string().exactOptional() });

const editWord = z.union([
  z.string(),
  z.strictObject({
    any: z.enum(OBJECT_KINDS),
    prefix: z.string().exactOptional(),
    copy: z.int().min(0).exactOptional(),
    object: z.string().exactOptional(),
  }),
]);
const editWords = z.array(editWord).readonly();
const cut = z.strictObject({ at: z.string().min(1), last: z.literal(true).exactOptional() });
const added = { prefix: z.string().exactOptional(), suffix: z.string().exactOptional() };
const many = z.literal(true).exactOptional();
const templateStep = z.strictObject({
  of: z
    .array(
      z.union([
        z.string(),
        z.strictObject({ begins: z.string().exactOptional(), ends: z.string().exactOptional(), many }),
      ]),
    )
    .min(1)
    .readonly(),
  make: z
    .array(
      z
        .array(
          z
            .array(
              z.union([
                z.string(),
                z.strictObject({
                  ...{ copy: z.int().min(0), many },
                  ...{ after: cut.exactOptional(), before: cut.exactOptional(), ...added },
                }),
                z.strictObject({ told: z.string(), until: z.string().length(1).exactOptional(), ...added }),
              ]),
            )
            .min(1)
            .readonly(),
        )
        .min(1)
        .readonly(),
    )
    .min(1)
    .readonly(),
  join: z.enum(['&&', '|']).exactOptional(),
});
const editSteps = z
  .array(
    z.union([
      z.strictObject({
        from: editWords,
        to: editWords,
        at: z.union([z.string(), z.int().min(0)]).exactOptional(),
      }),
      z.strictObject({ list: texts, by: texts, paired: z.literal(true).exactOptional() }),
      z.strictObject({ quote: z.string(), prefix: z.string().exactOptional() }),
      z.strictObject({ first: editWords }),
      templateStep,
    ]),
  )
  .readonly();

export const commandEditSchema = z.strictObject({
  program: z.string().min(1),
  sub: texts.exactOptional(),
  steps: editSteps,
  others: z.array(editSteps).readonly().exactOptional(),
  narrowed: z.literal(true).exactOptional(),
});

const tokenReplacementSchema = z.strictObject({
  program: z.string().min(1),
  sub: texts.exactOptional(),
  from: z.string().min(1),
  to: z.string().min(1),
});

const evidence = z.strictObject({
  agent: z.string(),
  sessionId: z.string(),
  file: z.string().exactOptional(),
  lines: z.tuple([z.int(), z.int()]).readonly().exactOptional(),
  at: time,
  excerpt: z.string().max(EXCERPT_CHARS).exactOptional().describe('Redacted.'),
  measured: z.literal(true).exactOptional(),
});

const validity = z.strictObject({
  models: texts,
  agentVersions: texts,
  refutedBy: texts.exactOptional(),
  from: time.exactOptional(),
  until: time.exactOptional(),
  supersededBy: z.string().exactOptional(),
});

const measure = z.strictObject({
  from: time.exactOptional(),
  doubt: z.string().exactOptional(),
  raised: z.string().exactOptional(),
  check: z.string().exactOptional(),
  retest: z.string().exactOptional(),
  on: texts.exactOptional(),
  untried: z
    .array(z.strictObject({ on: z.string(), sessions: texts }))
    .readonly()
    .exactOptional(),
});

const file = z.strictObject({
  slug: z.string(),
  hash: z.string(),
  contentHash: z.string(),
  confirmed: z
    .array(z.strictObject({ hash: z.string(), by: z.string() }))
    .readonly()
    .exactOptional(),
  isGone: z.literal(true).exactOptional(),
});

export const lessonSchema = z.strictObject({
  id: z.string().min(1),
  slug: z.string().min(1),
  type: z.enum(LESSON_TYPES),
  summary: z.string().describe('One line: the fallback text.'),
  mistake: z.string(),
  remediation: z.string(),
  body: lessonBodySchema.exactOptional(),
  triggers: storedTriggersSchema,
  priority: z.number().min(1).max(10),
  confidence: z.number().min(0).max(1),
  mode: z.enum(DELIVERY_MODES),
  modeBy: z.string().exactOptional(),
  status: z.enum(LESSON_STATUSES),
  needsReview: z.boolean(),
  scope,
  tags: texts,
  origin: z.strictObject({
    kind: z.enum(ORIGIN_KINDS),
    by: z.string(),
    trust: z.enum(['observed', 'stated', 'foreign']),
    model: z
      .strictObject({
        provider: z.string(),
        model: z.string().exactOptional(),
        promptVersion: z.int(),
        pack: z.string(),
      })
      .exactOptional(),
  }),
  evidence: z.array(evidence).readonly(),
  signatureId: z.string().exactOptional(),
  occurrences: count,
  sessions: count,
  projects: count,
  provisional: z
    .array(z.strictObject({ agent: z.string(), sessionId: z.string(), until: time }))
    .readonly()
    .exactOptional(),
  validity,
  tested: z.strictObject({ hits: count, falseAlarms: count }).exactOptional(),
  edit: commandEditSchema.exactOptional(),
  replacement: tokenReplacementSchema.exactOptional(),
  measure: measure.exactOptional(),
  archival: z
    .strictObject({ cause: z.enum(ARCHIVAL_CAUSES), reason: z.string(), from: z.enum(['draft', 'active']) })
    .exactOptional(),
  learnedAs: z
    .array(
      z.strictObject({
        ...{ triggers: storedTriggersSchema, tags: texts, scope, remediation: z.string() },
        signatureId: z.string().exactOptional(),
      }),
    )
    .readonly()
    .exactOptional(),
  file: file.exactOptional(),
  contentHash: z.string(),
  createdAt: time,
  updatedAt: time,
  lastMatchedAt: time.exactOptional(),
  reviewedBy: z.string().exactOptional(),
});

export const TRIGGERS_SCHEMA_AGREES: Same<z.infer<typeof triggersSchema>, Triggers> = true;
export const LESSON_SCHEMA_AGREES: Same<z.infer<typeof lessonSchema>, Lesson> = true;
