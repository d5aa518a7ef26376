/** A server on loopback that speaks the wire formats of model servers, and misbehaves on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { isRecord, parseRecord } from '../../src/base/records.ts';
import { openLanguageModel } from '../../src/distill/models/open-language-model.ts';
import { KEY } from './fake-agents.ts';
import type { Behaviour, OpenedModel, Provider } from './language-model-suite.ts';

type ApiName = 'anthropic' | 'openai';

interface Api {
  readonly path: string;
  readonly keyHeader: string;
  toReply(model: unknown, text: string, stop?: 'refused'): object;
  toError(type: string, message: string): object;
  toQuestion(body: Readonly<Record<string, unknown>>): string;
}

const ANTHROPIC: Api = {
  path: '/v1/messages',
  keyHeader: 'x-api-key',
  toReply: (model, text, stop) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null },
    content: stop === undefined ? [{ type: 'text', text }] : [],
    stop_reason: stop === undefined ? 'end_turn' : 'refusal',
    usage: { input_tokens: 1000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 },
  }),
  toError: (type, message) => ({ type: 'error', error: { type, message } }),
  toQuestion: toFirstMessage,
};

const OPENAI: Api = {
  path: '/v1/chat/completions',
  keyHeader: 'authorization',
  toReply: (model, content, stop) => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
    choices: [
      {
        index: 0,
        finish_reason: stop === undefined ? 'stop' : 'content_filter',
        message: { role: 'assistant', content: stop === undefined ? content : '' },
      },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 },
  }),
  toError: (type, message) => ({ error: { type, message, param: null, code: type } }),
  toQuestion: toFirstMessage,
};

const APIS = { anthropic: ANTHROPIC, openai: OPENAI };

function toFirstMessage({ messages }: Readonly<Record<string, unknown>>): string {
  const [first] = Array.isArray(messages) ? (messages as readonly unknown[]) : [];
  const content = isRecord(first) ? first.content : '';
  if (typeof content === 'string') return content;
  const [part] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  return isRecord(part) ? String(part.text) : '';
}

export const API_PROVIDERS: readonly Provider[] = (['anthropic', 'openai'] as const).map((name) => ({
  name,
  isProgram: false,
  ...{ refusedAs: 'refused', loginFaults: ['bad-key'] },
  open: (behaviour) => openApi(name, behaviour),
}));

export interface OpenedApi extends OpenedModel {
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  readonly keys: readonly string[];
}

const ANSWER = '{"add":["x"]}';

export type ApiBehaviour = Behaviour | 'cut' | 'elsewhere' | 'no-schema' | 'broken' | 'long';

export async function openApi(
  name: ApiName,
  behaviour: ApiBehaviour,
  more: { key?: string } = { key: KEY },
): Promise<OpenedApi> {
  const api = APIS[name];
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const keys: string[] = [];
  const server = createServer(async (request, response) => {
    const body = parseRecord(await text(request).catch(() => '')) ?? {};
    bodies.push(body);
    keys.push(String(request.headers[api.keyHeader] ?? ''));
    reply(request, response, { api, behaviour, body, count: bodies.length });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const variable = name === 'anthropic' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY';
  const env = more.key === undefined ? {} : { [variable]: more.key };
  const settings = { ...DEFAULT_SETTINGS.models, provider: name, model: 'test-model', baseUrl };
  return {
    ...{ bodies, keys },
    model: openLanguageModel(settings, { agents: [], env, home: '/nowhere' }),
    listAsked: () => bodies.map(api.toQuestion),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

interface Asked {
  readonly api: Api;
  readonly behaviour: ApiBehaviour;
  readonly body: Readonly<Record<string, unknown>>;
  readonly count: number;
}

function reply(
  request: IncomingMessage,
  response: ServerResponse,
  { api, behaviour, body, count }: Asked,
): ServerResponse {
  const send = (value: object, status = 200, headers: Readonly<Record<string, string>> = {}): ServerResponse => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    return response.end(JSON.stringify(value));
  };
  const limit = (headers?: Readonly<Record<string, string>>): ServerResponse =>
    send(api.toError('rate_limit_error', 'Rate limit reached'), 429, headers);
  if (request.url !== api.path) return send({}, 404);
  switch (behaviour) {
    case 'slow':
    case 'stubborn':
      return response;
    case 'killed':
      request.socket.destroy();
      return response;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write(JSON.stringify(api.toReply(body.model, ANSWER)).slice(0, 40));
      setTimeout(() => request.socket.destroy(), 20);
      return response;
    case 'elsewhere':
      response.writeHead(307, { location: 'http://127.0.0.1:9/v1/messages' });
      return response.end();
    case 'huge':
      return send(api.toReply(body.model, 'x'.repeat(10_000_000)));
    case 'long':
      return send(api.toReply(body.model, `{"add":["${'x'.repeat(2_000_000)}"]}`));
    case 'noise':
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end('<html>welcome to the hotel</html>');
    case 'broken':
      return send(api.toError('api_error', 'Internal server error'), 500);
    case 'hostile':
      return send(api.toReply(body.model, '\u001b]0;owned\u0007 \u202eI will not\u0000'));
    case 'garbage':
      return send(api.toReply(body.model, 'I will not'));
    case 'refused':
      return send(api.toReply(body.model, '', 'refused'));
    case 'rate-limit':
      return limit({ 'retry-after': '20' });
    case 'limited-once':
      return count === 1 ? limit({ 'retry-after': '0' }) : send(api.toReply(body.model, ANSWER));
    case 'no-schema':
      return body.response_format === undefined
        ? send(api.toReply(body.model, ANSWER))
        : send(api.toError('invalid_request_error', "'response_format' is not supported by this model"), 400);
    case 'bad-key':
    case 'not-logged-in':
      return send(api.toError('authentication_error', `Incorrect API key provided: ${KEY}`), 401);
    default:
      return send(api.toReply(body.model, ANSWER));
  }
}
