/**
 * The language model that the settings name. Every provider gets the same treatment here: a schema that all of them can
 * enforce, another try after a rate limit, an answer that is one JSON object, and a reason that is safe to print.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import type {
  AskLimits,
  LanguageModel,
  ModelAnswer,
  ModelFailure,
  ModelUsage,
  Question,
} from '../../base/contracts/language-model.ts';
import { toReason } from '../../base/errors.ts';
import type { ModelSettings } from '../../base/model/settings.ts';
import { dropAbsent, isRecord, parseRecord } from '../../base/records.ts';
import { redact } from '../../base/secrets/redaction.ts';
import { stripAnsi } from '../../base/text/strip-ansi.ts';
import { type AgentPlace, findProgram, type Machine, openAgentModel } from './open-agent-model.ts';
import { openApiModel } from './open-api-model.ts';

interface ModelParts extends Machine {
  /** The agents that can be asked, in the order in which they are tried. */
  readonly agents: readonly AgentPlace[];
}

type Wishes = Pick<ModelSettings, 'provider' | 'agent' | 'model' | 'baseUrl'>;

export function openLanguageModel(wishes: Wishes, parts: ModelParts): LanguageModel {
  if (parts.env[CHILD_VARIABLE] === '1') {
    return makeNone('this runs in an agent that Oncebitten started, which must not start another one');
  }
  return withCare(openProvider(wishes, parts));
}

function openProvider({ provider, agent, model, baseUrl }: Wishes, parts: ModelParts): LanguageModel {
  const named = model === '' ? undefined : model;
  if (provider === 'none') return makeNone('no language model is configured: set models.provider');
  if (provider !== 'agent') return openApiModel({ provider, baseUrl, env: parts.env, ...dropAbsent({ model: named }) });
  const found =
    agent === ''
      ? parts.agents.find(({ headless }) => findProgram(headless, parts) !== undefined)
      : parts.agents.find(({ headless }) => headless.facts.id === agent);
  if (found !== undefined) return openAgentModel(found, parts, named);
  const programs = parts.agents.map(({ headless }) => headless.program).join(', ');
  return makeNone(`no coding agent was found on this machine (looked for ${programs})`, 'not-found');
}

function makeNone(reason: string, kind: ModelFailure = 'not-configured'): LanguageModel {
  return { name: 'none', ask: async () => ({ ok: false, kind, reason }) };
}

function withCare(model: LanguageModel): LanguageModel {
  return {
    name: model.name,
    async ask({ prompt, schema }, limits) {
      try {
        const answer = await askAgain(model, { prompt, schema: toPlainSchema(schema, model.needsAllFields) }, limits);
        return toSafeAnswer(model.name, answer);
      } catch (error) {
        return toSafeAnswer(model.name, { ok: false, kind: 'failed', reason: toReason(error) });
      }
    },
  };
}

const MAX_TRIES = 3;
const FIRST_WAIT_MS = 2_000;
const GROWTH = 4;
/** An answer needs at least so long, so a try that has less left would only cost. */
const MIN_LEFT_MS = 5_000;

/** Asks again after a rate limit or a short trouble, if the wait leaves time for an answer. */
async function askAgain(model: LanguageModel, question: Question, limits: AskLimits): Promise<ModelAnswer> {
  const endMs = performance.now() + limits.deadlineMs;
  let usage: ModelUsage | undefined;
  for (let tries = 1; ; tries++) {
    const leftMs = endMs - performance.now();
    const answer = await model.ask(question, { ...limits, deadlineMs: leftMs });
    usage = addUsage(usage, answer.usage);
    const counted = { ...answer, ...dropAbsent({ usage }) };
    if (answer.ok || tries === MAX_TRIES || limits.signal?.aborted) return counted;
    if (answer.kind !== 'rate-limit' && answer.retryAfterMs === undefined) return counted;
    const waitMs = answer.retryAfterMs ?? FIRST_WAIT_MS * GROWTH ** (tries - 1);
    if (performance.now() + waitMs + MIN_LEFT_MS > endMs) return counted;
    await sleep(waitMs, undefined, dropAbsent({ signal: limits.signal })).catch(() => {});
  }
}

function addUsage(a: ModelUsage | undefined, b: ModelUsage | undefined): ModelUsage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const add = (key: keyof ModelUsage): number | undefined =>
    a[key] === undefined && b[key] === undefined ? undefined : (a[key] ?? 0) + (b[key] ?? 0);
  return dropAbsent({ inputTokens: add('inputTokens'), outputTokens: add('outputTokens'), usd: add('usd') });
}

/** Longer than any answer to a pack. */
const MAX_ANSWER_CHARS = 1_000_000;

/** Models like to put words or a code fence around their JSON. */
function toSafeAnswer(name: string, answer: ModelAnswer): ModelAnswer {
  if (!answer.ok) return { ...answer, reason: toPlainReason(answer.reason) };
  const { text } = answer;
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  const usage = dropAbsent({ usage: answer.usage });
  if (text.length > MAX_ANSWER_CHARS) {
    const reason = `${name} gave an answer of ${text.length} characters (at most ${MAX_ANSWER_CHARS})`;
    return { ok: false, kind: 'garbage', reason, ...usage };
  }
  if (parseRecord(json) !== undefined) return { ...answer, text: json };
  const reason = toPlainReason(`${name} gave an answer that is not a JSON object (${text})`);
  return { ok: false, kind: 'garbage', reason, ...usage };
}

const MAX_REASON_CHARS = 300;

/** The words of programs and servers go to a terminal and to logs: no secrets, no control characters, one line. */
function toPlainReason(reason: string): string {
  const line = redact(stripAnsi(reason.slice(0, 20 * MAX_REASON_CHARS)))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS)}…` : line;
}

/** Keywords that every provider enforces. Servers reject a schema with others; the learner checks the rest itself. */
const KEYWORDS = ['type', 'description', 'enum', 'const', 'required', 'additionalProperties', '$ref'];

function toPlainSchema(
  schema: Readonly<Record<string, unknown>>,
  needsAllFields = false,
): Readonly<Record<string, unknown>> {
  const toPlain = (one: unknown): unknown => (isRecord(one) ? toPlainSchema(one, needsAllFields) : one);
  const entries = Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (KEYWORDS.includes(key)) return [[key, value]];
    if (key === 'items') return [[key, toPlain(value)]];
    if ((key === 'properties' || key === '$defs') && isRecord(value)) {
      return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toPlain(one)]))]];
    }
    return key === 'anyOf' && Array.isArray(value) ? [[key, value.map(toPlain)]] : [];
  });
  const all = needsAllFields && isRecord(schema.properties) ? Object.keys(schema.properties) : undefined;
  return { ...Object.fromEntries(entries), ...(all && { required: all, additionalProperties: false }) };
}
