/**
 * Asks a language model over HTTP, through the providers of the AI SDK. They are loaded when a question is asked, so a
 * user without such a provider pays nothing for them. The key comes from the environment, never from our settings file.
 */

import type { AskLimits, LanguageModel, ModelAnswer, Question } from '../../base/contracts/language-model.ts';
import { toReason } from '../../base/errors.ts';
import { judgeModelFailure } from '../../base/model/model-failure.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import type { Environment } from './open-agent-model.ts';

export interface ApiWishes {
  readonly provider: 'anthropic' | 'openai';
  readonly model?: string;
  /** Empty: the provider's own server. */
  readonly baseUrl: string;
  readonly env: Environment;
}

interface ApiFacts {
  readonly name: string;
  readonly keyVariable: string;
  readonly baseUrl: string;
  readonly package: string;
}

const APIS: Readonly<Record<ApiWishes['provider'], ApiFacts>> = {
  anthropic: {
    name: 'the Anthropic API',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrl: 'https://api.anthropic.com/v1',
    package: '@ai-sdk/anthropic',
  },
  openai: {
    name: 'the OpenAI API',
    keyVariable: 'OPENAI_API_KEY',
    baseUrl: 'https://api.openai.com/v1',
    package: '@ai-sdk/openai-compatible',
  },
};

const MAX_OUTPUT_TOKENS = 16_000;

export function openApiModel(wishes: ApiWishes): LanguageModel {
  const facts = { ...APIS[wishes.provider], ...(wishes.baseUrl !== '' && { name: wishes.baseUrl }) };
  const key = wishes.env[facts.keyVariable] || undefined;
  return {
    name: wishes.provider,
    needsAllFields: true,
    async ask(question, limits) {
      if (wishes.model === undefined) {
        const reason = `models.provider is ${wishes.provider}, but models.model is empty: name the model to ask`;
        return { ok: false, kind: 'not-configured', reason };
      }
      // A server of one's own often needs no key.
      if (key === undefined && wishes.baseUrl === '') {
        const reason = `the environment variable ${facts.keyVariable} is not set: ${facts.name} needs a key`;
        return { ok: false, kind: 'not-logged-in', reason };
      }
      const signal = toSignal(limits);
      try {
        return await ask({ wishes, model: wishes.model, facts, key, question, signal });
      } catch (error) {
        return toFailure(facts, error, signal, limits);
      }
    },
  };
}

function toSignal({ deadlineMs, signal }: AskLimits): AbortSignal {
  const deadline = AbortSignal.timeout(Math.max(0, Math.round(deadlineMs)));
  return signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
}

interface Ask {
  readonly wishes: ApiWishes;
  readonly model: string;
  readonly facts: ApiFacts;
  readonly key: string | undefined;
  readonly question: Question;
  readonly signal: AbortSignal;
}

async function ask(parts: Ask): Promise<ModelAnswer> {
  const { facts, question, signal, wishes } = parts;
  const model = await load(parts);
  const generate = async (prompt: string, schema?: Question['schema']) =>
    await model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      abortSignal: signal,
      ...(schema && { responseFormat: { type: 'json', schema, name: 'answer' } }),
    });
  // A server that speaks OpenAI's protocol may ignore a schema, or not know it.
  const isLoose = wishes.provider === 'openai';
  const prompt = isLoose ? withSchema(question) : question.prompt;
  const result = await generate(prompt, question.schema).catch((error: unknown) => {
    if (isLoose && isAboutSchema(error)) return generate(prompt);
    throw error;
  });
  const usage = dropAbsent({
    inputTokens: result.usage.inputTokens.total,
    outputTokens: result.usage.outputTokens.total,
  });
  const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const text = result.structuredOutputText ?? texts.join('');
  const { unified } = result.finishReason;
  if (unified === 'content-filter') {
    return { ok: false, kind: 'refused', reason: `the model of ${facts.name} refused to answer`, usage };
  }
  if (unified === 'length') {
    const reason = `the answer of ${facts.name} was cut off after ${MAX_OUTPUT_TOKENS} tokens`;
    return { ok: false, kind: 'garbage', reason, usage };
  }
  return { ok: true, text, model: result.response?.modelId ?? parts.model, usage };
}

async function load({ wishes, model, facts, key }: Ask) {
  const baseURL = (wishes.baseUrl || facts.baseUrl).replace(/\/+$/, '');
  const fetch = fetchCarefully;
  try {
    if (wishes.provider === 'anthropic') {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey: key ?? 'none', fetch })(model);
    }
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const options = { name: wishes.provider, baseURL, supportsStructuredOutputs: true, fetch };
    return createOpenAICompatible({ ...options, ...dropAbsent({ apiKey: key }) })(model);
  } catch (cause) {
    throw new Error(
      `the package ${facts.package} cannot be loaded (${toReason(cause)}); install it with: npm install -g oncebitten`,
      { cause },
    );
  }
}

function withSchema({ prompt, schema }: Question): string {
  return `${prompt.trimEnd()}\n\nAnswer with one JSON object that satisfies this JSON Schema:\n\n${JSON.stringify(schema)}\n`;
}

function isAboutSchema(error: unknown): boolean {
  if (!isRecord(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return false;
  return /response_format|json_schema|schema/i.test(`${toReason(error)} ${String(error.responseBody ?? '')}`);
}

const MAX_REPLY_BYTES = 8 * 1024 * 1024;

/** A server must not send the question on to another one, nor fill the memory. */
const fetchCarefully: typeof globalThis.fetch = async (input, init) => {
  const response = await globalThis.fetch(input, { ...init, redirect: 'error' });
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_REPLY_BYTES) controller.error(new Error(`the reply has more than ${MAX_REPLY_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(limit) ?? null, { status, statusText, headers });
};

function toFailure(facts: ApiFacts, error: unknown, signal: AbortSignal, limits: AskLimits): ModelAnswer {
  if (limits.signal?.aborted) return { ok: false, kind: 'failed', reason: `the question to ${facts.name} was stopped` };
  if (signal.aborted) {
    const reason = `${facts.name} gave no answer within ${Math.round(limits.deadlineMs / 1000)} s`;
    return { ok: false, kind: 'too-slow', reason };
  }
  const wire = isRecord(error) ? error : {};
  const status = typeof wire.statusCode === 'number' ? wire.statusCode : undefined;
  const text = toDetail(error);
  // A reply that the SDK cannot parse has the status of a success.
  if (status !== undefined && status < 400) {
    return { ok: false, kind: 'garbage', reason: `${facts.name} replied with something that is no answer (${text})` };
  }
  const judged = judgeModelFailure(text, status);
  const retryAfterMs = findRetryAfter(wire.responseHeaders) ?? judged.retryAfterMs;
  const reason = `${WORDS[judged.kind]?.(facts) ?? `${facts.name} failed`} (${text})`;
  return { ok: false, kind: judged.kind, reason, ...dropAbsent({ retryAfterMs }) };
}

const WORDS: Readonly<Record<string, (facts: ApiFacts) => string>> = {
  'not-logged-in': ({ name, keyVariable }) => `${name} does not accept the key in ${keyVariable}`,
  'rate-limit': ({ name }) => `${name} has reached a rate limit`,
  'over-budget': ({ name }) => `${name} has no credit left for this key`,
  refused: ({ name }) => `${name} refused to answer`,
};

/** The words of the server, and below them the cause of a failed connection. */
function toDetail(error: unknown): string {
  const cause = isRecord(error) && isRecord(error.cause) ? toReason(error.cause) : '';
  return [toReason(error), cause].filter((text, i, all) => text !== '' && all.indexOf(text) === i).join(': ');
}

/** Seconds, or a date. */
function findRetryAfter(headers: unknown): number | undefined {
  const value = isRecord(headers) ? headers['retry-after'] : undefined;
  if (typeof value !== 'string') return undefined;
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : undefined;
}
