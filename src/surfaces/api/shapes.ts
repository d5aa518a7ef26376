/** The shapes of the API's questions and answers. The OpenAPI document and the types of the client are made from them. */

import { z } from '@hono/zod-openapi';
import { FAILURE_CLASSES } from '../../base/statistics/failures.ts';
import { HISTORY_GROUPS } from '../../base/statistics/history.ts';

const Time = z.string().openapi({ example: '2026-01-31T12:00:00.000Z' });
const count = z.number().int().nonnegative();

/** The filter that every page has. */
export const Filter = z.object({
  since: z.string().optional().openapi({ description: 'From this time on: 7d, 2026-01-31 or 2026-01-31T12:00' }),
  until: z.string().optional().openapi({ description: 'Until this time; a date includes the whole day' }),
  project: z.string().optional().openapi({ description: 'Id or name of a project' }),
  agent: z.string().optional(),
  model: z.string().optional(),
  category: z.string().optional().openapi({ description: 'Category of failure' }),
});

export const Paging = z.object({
  limit: z
    .string()
    .regex(/^\d{1,4}$/)
    .optional()
    .openapi({ description: 'Number of rows, at most 9999' }),
  from: z
    .string()
    .regex(/^\d{1,7}$/)
    .optional()
    .openapi({ description: 'Number of the first row, from 1' }),
});

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), total: count, next: count.nullable() });
}

export const Problem = z
  .object({ error: z.object({ subject: z.string(), reason: z.string(), next: z.string() }) })
  .openapi('Problem');

const Interval = z.tuple([z.number(), z.number()]);
const Mean = z.object({ n: count, mean: z.number().optional(), interval: Interval.optional() });

const Counts = z.object({
  sessions: count,
  calls: count,
  failures: count,
  masked: count,
  denied: count,
  cancelled: count,
  failureRate: z.number().optional(),
  hookFailures: count,
  first: Time.optional(),
  last: Time.optional(),
});

export const History = z
  .object({
    since: Time.optional(),
    until: Time.optional(),
    totals: Counts.extend({ silentSessions: count }),
    by: z.array(
      z.object({
        by: z.enum(HISTORY_GROUPS),
        total: count,
        groups: z.array(Counts.extend({ key: z.string(), name: z.string().optional(), label: z.string().optional() })),
      }),
    ),
    signatures: z.array(
      z.object({
        signature: z.string(),
        program: z.string(),
        message: z.string(),
        count,
        masked: count,
        sessions: count,
        last: Time,
      }),
    ),
  })
  .openapi('History');

const Fix = z.object({ text: z.string(), sessions: count, lastAt: Time });
const Shares = z.record(z.string(), count);
const LessonHead = z.object({ id: z.string(), slug: z.string(), summary: z.string(), status: z.string() });

export const FailureKind = z
  .object({
    signature: z.string().optional(),
    signatureIds: z.array(z.string()),
    program: z.string(),
    template: z.string().optional(),
    message: z.string().optional(),
    category: z.string(),
    class: z.enum(FAILURE_CLASSES).optional(),
    times: count,
    count,
    masked: count,
    laterRepeats: count,
    isHook: z.boolean(),
    sessions: count,
    tasks: count,
    projects: count,
    projectIds: z.array(z.string()),
    agents: z.array(z.string()),
    models: z.array(z.string()),
    /** How many of `times` each project, agent and model has. */
    shares: z.object({ projects: Shares, agents: Shares, models: Shares }),
    /** How often an agent got past it, and in how many calls on average. */
    attempts: z.object({ begun: count, solved: count, mean: z.number() }).optional(),
    days: z.array(z.object({ day: z.string(), count })),
    first: Time,
    last: Time,
    cure: Fix.nullable(),
    /** What got agents past it, what worked in most sessions first. */
    fixes: z.array(Fix),
    lesson: LessonHead.nullable(),
  })
  .openapi('FailureKind');

export const FailureKinds = pageOf(FailureKind)
  .extend({ leftOut: z.partialRecord(z.enum(FAILURE_CLASSES), count), isCut: z.boolean() })
  .openapi('FailureKinds');

export const FailedCall = z
  .object({
    id: z.string(),
    agent: z.string(),
    sessionId: z.string(),
    at: Time,
    projectId: z.string(),
    /** The name of the project. */
    project: z.string().optional(),
    tool: z.string(),
    rawTool: z.string(),
    program: z.string().optional(),
    command: z.string().optional(),
    exitCode: z.number().optional(),
    message: z.string().optional(),
    signature: z.string().optional(),
    branch: z.string().optional(),
    masked: z.boolean(),
    textRemoved: z.string().optional(),
  })
  .openapi('FailedCall');

const Evidence = z.object({
  agent: z.string(),
  sessionId: z.string(),
  file: z.string().optional(),
  lines: z.array(z.number()).optional(),
  at: Time.optional(),
  excerpt: z.string().optional(),
});

export const Lesson = z
  .object({
    id: z.string(),
    slug: z.string(),
    type: z.string(),
    summary: z.string(),
    mistake: z.string(),
    remediation: z.string(),
    triggers: z.looseObject({}),
    priority: z.number(),
    level: z.string(),
    confidence: z.number(),
    mode: z.string(),
    status: z.enum(['draft', 'active', 'archived']),
    needsReview: z.boolean(),
    scope: z.object({ kind: z.string(), id: z.string().optional() }),
    tags: z.array(z.string()),
    origin: z.looseObject({ kind: z.string(), by: z.string() }),
    evidence: z.array(Evidence),
    occurrences: count,
    sessions: count,
    projects: count,
    createdAt: Time,
    updatedAt: Time,
    lastMatchedAt: Time.optional(),
    signatureId: z.string().optional(),
    project: z.string().optional(),
    muted: z.string().optional(),
    archival: z.looseObject({ cause: z.string() }).optional(),
    confirmed: z.literal(false).optional(),
  })
  .openapi('Lesson');

export const LessonDetail = Lesson.extend({
  /** The trigger in words. */
  firesOn: z.string(),
  backTest: z.string().optional(),
  heldBack: z.array(z.string()).optional(),
  muted: z.string().optional(),
  history: z.array(z.object({ by: z.string(), reason: z.string().optional(), at: Time })),
  /** The change that an undo would take back; absent if there is none. */
  nextUndo: z.object({ id: z.string(), reason: z.string(), at: Time }).optional(),
}).openapi('LessonDetail');

export const Session = z
  .object({
    agent: z.string(),
    sessionId: z.string(),
    projectId: z.string(),
    projectName: z.string().optional(),
    cwd: z.string(),
    branch: z.string().optional(),
    model: z.string().optional(),
    agentVersion: z.string().optional(),
    startedAt: Time,
    lastSeenAt: Time,
    endedAt: Time.optional(),
    source: z.string(),
    calls: count,
    failures: count,
    masked: count,
    denied: count,
    cancelled: count,
  })
  .openapi('Session');

const Rate = z.object({ trials: count, failures: count });
const Effect = z.looseObject({ with: Rate, without: Rate, prevented: z.number(), interval: Interval });
const Outcomes = z.object({ clean: count, failed_anyway: count, ignored: count, incomplete: count, open: count });
const Delivered = z.looseObject({
  shown: count,
  withheld: count,
  atStart: count,
  outcomes: Outcomes,
  withheldOutcomes: Outcomes,
  falseAlarms: z.looseObject({ calls: count, worked: count }),
  bytes: count,
  tokens: count,
  effect: Effect.optional(),
});
const DeliveredGroup = Delivered.extend({ key: z.string(), name: z.string() });

export const Stats = z
  .looseObject({
    calls: z
      .looseObject({
        sessions: count,
        calls: count,
        failures: count,
        masked: count,
        repeats: count,
        avoidable: count,
        days: z.array(z.object({ day: z.string(), failures: count, repeats: count })),
        cost: z.object({ begun: count, solved: count, calls: Mean, seconds: Mean, tokens: Mean }),
      })
      .optional(),
    added: z.looseObject({ bytes: count, tokens: count }).optional(),
    totals: Delivered,
    cures: Delivered.optional(),
    memory: Delivered.optional(),
    latency: z.looseObject({ calls: count, p50Us: z.number(), p95Us: z.number(), p99Us: z.number() }).optional(),
    missed: z.looseObject({ total: count }),
    by: z.object({
      lesson: z.array(DeliveredGroup),
      project: z.array(DeliveredGroup),
      agent: z.array(DeliveredGroup),
      day: z.array(DeliveredGroup),
      week: z.array(DeliveredGroup),
    }),
  })
  .openapi('Stats');

export const Health = z
  .object({
    ok: z.boolean(),
    /** Whether an agent has our hooks, so that it gets lessons. */
    connected: z.boolean(),
    /** The ids of these agents. */
    connectedAgents: z.array(z.string()),
    checks: z.array(
      z.looseObject({
        name: z.string(),
        state: z.string(),
        detail: z.string(),
        next: z.string().optional(),
      }),
    ),
  })
  .openapi('Health');

export const Status = z
  .looseObject({
    running: z.boolean(),
    /** Absent if nothing is switched off. */
    switches: z
      .looseObject({
        pausedAll: z.boolean(),
        paused: z.array(z.looseObject({ what: z.string(), until: Time.optional() })),
      })
      .optional(),
  })
  .openapi('Status');

const ShownLesson = z.object({
  lesson: z.string(),
  summary: z.string().optional(),
  mode: z.string(),
  arm: z.string(),
  judged: z.string().optional(),
});

export const Timeline = z
  .object({
    session: Session,
    children: z.array(z.looseObject({})),
    total: count,
    from: count,
    limit: count,
    next: count.nullable(),
    timeline: z.array(
      z.looseObject({
        kind: z.string(),
        n: count.optional(),
        at: Time,
        callId: z.string().optional(),
        tool: z.string().optional(),
        rawTool: z.string().optional(),
        outcome: z.string().optional(),
        input: z.string().optional(),
        message: z.string().optional(),
        signature: z.string().optional(),
        output: z.string().optional(),
        exitCode: z.number().optional(),
        durationMs: z.number().optional(),
        told: z.array(ShownLesson).optional(),
        ...ShownLesson.partial().shape,
      }),
    ),
  })
  .openapi('Timeline');

export const Delivery = z
  .looseObject({
    id: z.string(),
    agent: z.string(),
    sessionId: z.string(),
    callId: z.string().optional(),
    kind: z.string(),
    mode: z.string().optional(),
    arm: z.string(),
    deliveredAt: Time,
    outcome: z.string().optional(),
    lesson: z.string().optional(),
    project: z.string().optional(),
  })
  .openapi('Delivery');

/** On which past calls a lesson would have fired. */
export const LessonTest = z
  .looseObject({
    /** Of one command. */
    speaks: z.boolean().optional(),
    pastCalls: count.optional(),
    fires: count.optional(),
    hits: count.optional(),
    falseAlarms: count.optional(),
    mistakes: count.optional(),
    mistakesHit: count.optional(),
    spoken: z.array(z.looseObject({ call: z.string(), outcome: z.string(), hit: z.boolean() })).optional(),
  })
  .openapi('LessonTest');

export const Setting = z
  .looseObject({
    key: z.string(),
    value: z.unknown(),
    default: z.unknown(),
    origin: z.looseObject({ kind: z.string() }),
    help: z.string(),
    /** In words: `a number`, `one of note, pause`. */
    type: z.string(),
    min: z.number().optional(),
    max: z.number().optional(),
    /** Why a person must edit the file for it. */
    fileOnly: z.string().optional(),
  })
  .openapi('Setting');

export const Project = z
  .looseObject({ id: z.string(), name: z.string(), roots: z.array(z.string()), sessions: count, calls: count })
  .openapi('Project');

export const Promotions = z
  .looseObject({
    files: z.array(z.string()),
    candidates: z.array(
      z.looseObject({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        confidence: z.number(),
        effectiveness: z.number(),
        judged: count,
        clean: count,
        sessions: count,
      }),
    ),
    items: z.array(
      z.looseObject({
        id: z.string(),
        lessonId: z.string(),
        slug: z.string(),
        file: z.string(),
        root: z.string(),
        state: z.string(),
        text: z.string(),
        standing: z.string().optional(),
        note: z.string().optional(),
      }),
    ),
    total: count,
    next: count.nullable(),
  })
  .openapi('Promotions');
