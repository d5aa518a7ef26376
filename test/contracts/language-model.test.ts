/** Every provider of a language model, against programs and servers that answer, fail, hang and lie. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HEADLESS } from '../../src/agents/headless.ts';
import { CHILD_VARIABLE } from '../../src/base/contracts/agent-headless.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openLanguageModel } from '../../src/distill/models/open-language-model.ts';
import { AGENT_PROVIDERS } from './fake-agents.ts';
import { testLanguageModel } from './language-model-suite.ts';
import { API_PROVIDERS, type ApiBehaviour, openApi } from './model-servers.ts';

// Most of the time, these tests wait for a deadline.
describe('language models', { concurrency: 4 }, () => {
  for (const provider of [...AGENT_PROVIDERS, ...API_PROVIDERS]) testLanguageModel(provider);
});

const QUESTION = { prompt: 'What?', schema: { type: 'object', properties: {}, required: [] } };
const LIMITS = { deadlineMs: 10_000 };
const toKind = (answer: { readonly ok: boolean; readonly kind?: string }): string => answer.kind ?? 'ok';

describe('a model server', { concurrency: true }, () => {
  const ask = async (name: 'anthropic' | 'openai', behaviour: ApiBehaviour, more?: { key?: string }) => {
    const api = await openApi(name, behaviour, more);
    try {
      return { api, answer: await api.model.ask(QUESTION, LIMITS) };
    } finally {
      await api.close();
    }
  };

  for (const name of ['anthropic', 'openai'] as const) {
    it(`of ${name} that cuts its reply off has failed`, async () => {
      assert.ok(['failed', 'garbage'].includes(toKind((await ask(name, 'cut')).answer)));
    });

    it(`of ${name} that sends the question elsewhere is not followed`, async () => {
      const { answer } = await ask(name, 'elsewhere');
      assert.equal(toKind(answer), 'failed');
    });

    it(`of ${name} with trouble is asked again`, async () => {
      const { api, answer } = await ask(name, 'broken');
      assert.equal(toKind(answer), 'failed');
      assert.equal(api.bodies.length, 3);
    });

    it(`of ${name} may not give an answer of megabytes`, async () => {
      assert.equal(toKind((await ask(name, 'long')).answer), 'garbage');
    });

    it(`of ${name} gets the key, and one of our own needs none`, async () => {
      const { api } = await ask(name, 'answers', { key: 'k1' });
      assert.match(api.keys[0] ?? '', /k1$/);
      assert.equal(toKind((await ask(name, 'answers', {})).answer), 'ok');
    });
  }

  it('that does not know schemas is asked without one', async () => {
    const { api, answer } = await ask('openai', 'no-schema');
    assert.equal(toKind(answer), 'ok');
    assert.equal(api.bodies.length, 2);
  });

  it('gets a schema as the strictest server wants it: plain keywords, and every field required', async () => {
    const api = await openApi('openai', 'answers');
    const items = { type: 'string', minLength: 3, default: 'x' };
    const b = { type: 'object', properties: { c: { type: 'string' } } };
    const schema = { $schema: 'x', type: 'object', properties: { a: { type: 'array', maxItems: 3, items }, b } };
    await api.model.ask({ prompt: 'What?', schema }, LIMITS);
    await api.close();
    const format = api.bodies[0]?.response_format as { readonly json_schema: { readonly schema: object } };
    const whole = (...required: readonly string[]) => ({ required, additionalProperties: false });
    const properties = { a: { type: 'array', items: { type: 'string' } }, b: { ...b, ...whole('c') } };
    const plain = { type: 'object', properties, ...whole('a', 'b') };
    assert.deepEqual(format.json_schema.schema, plain);
  });

  it('is not asked without a key or the name of a model', async () => {
    const open = (model: string) =>
      openLanguageModel({ ...DEFAULT_SETTINGS.models, provider: 'openai', model }, { agents: [], env: {}, home: '/' });
    const [unkeyed, unnamed] = [await open('m').ask(QUESTION, LIMITS), await open('').ask(QUESTION, LIMITS)];
    assert.deepEqual([toKind(unkeyed), toKind(unnamed)], ['not-logged-in', 'not-configured']);
    assert.match(JSON.stringify(unkeyed), /OPENAI_API_KEY/);
  });
});

describe('without a language model', () => {
  const agents = HEADLESS.map((headless) => ({ headless, home: '/nowhere' }));
  const open = (settings: object, env = {}) =>
    openLanguageModel({ ...DEFAULT_SETTINGS.models, ...settings }, { agents, env, home: '/nowhere' });

  it('nothing is asked by default', async () => {
    assert.equal(toKind(await open({}).ask(QUESTION, LIMITS)), 'not-configured');
  });

  it('the answer names the program that is missing', async () => {
    const answer = await open({ provider: 'agent', agent: 'codex' }, { PATH: '/nowhere' }).ask(QUESTION, LIMITS);
    assert.equal(toKind(answer), 'not-found');
    assert.match(JSON.stringify(answer), /no program codex/);
  });

  it('nothing is asked in an agent that we started', async () => {
    const answer = await open({ provider: 'agent' }, { [CHILD_VARIABLE]: '1' }).ask(QUESTION, LIMITS);
    assert.equal(toKind(answer), 'not-configured');
  });
});
