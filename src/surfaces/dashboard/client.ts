/** Asks the API. The operations are generated; their types come from the API's own rows. */

import type { z } from '@hono/zod-openapi';
import type { Operations } from '../api/operations.ts';
import { OPERATION_ADDRESSES } from './operation-addresses.ts';
import { confirmToken, readToken } from './token.ts';

type Name = keyof Operations;
type Question<N extends Name> = {
  readonly params?: z.input<Operations[N]['params']>;
  readonly query?: z.input<Operations[N]['query']>;
  readonly body?: z.input<Operations[N]['body']>;
};
export type Answer<N extends Name> = z.output<Operations[N]['answer']>;

export interface ProblemFacts {
  readonly subject: string;
  readonly reason: string;
  readonly next: string;
}

/** An answer that says no, in the words of the API. */
export class Problem extends Error {
  readonly facts: ProblemFacts;
  readonly status: number;

  constructor(status: number, facts: ProblemFacts) {
    super(`${facts.subject}: ${facts.reason}`);
    this.status = status;
    this.facts = facts;
  }
}

/** What to tell a person about any error. */
export function toFacts(error: Error): ProblemFacts {
  return error instanceof Problem
    ? error.facts
    : { subject: 'the dashboard', reason: error.message, next: 'load the page again' };
}

export async function ask<N extends Name>(
  name: N,
  question: Question<N> = {},
  signal?: AbortSignal,
): Promise<Answer<N>> {
  const [method, path] = OPERATION_ADDRESSES[name];
  const response = await send(toAddress(path, question.params, question.query), {
    method: method.toUpperCase(),
    ...(question.body === undefined ? {} : { body: JSON.stringify(question.body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return (await response.json()) as Answer<N>;
}

/** Server-sent events over `fetch`, because an `EventSource` cannot send the token. Calls `hear` with each event's name. */
export async function listen(hear: (event: string) => void, signal: AbortSignal): Promise<void> {
  const response = await send('/api/events', { method: 'GET', signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const name = /^event: (.+)$/m.exec(event)?.[1];
      if (name !== undefined) hear(name);
    }
  }
}

const UNREACHABLE: ProblemFacts = {
  subject: 'the daemon',
  reason: 'does not answer',
  next: 'start it with `oncebitten open`',
};

async function send(address: string, how: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, {
      ...how,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${readToken()}` },
    });
  } catch (error) {
    if (how.signal?.aborted) throw error;
    throw new Problem(0, UNREACHABLE);
  }
  if (response.ok) {
    confirmToken();
    return response;
  }
  const facts = await response.json().then(
    (body: { error: ProblemFacts }) => body.error,
    () => ({ ...UNREACHABLE, reason: `answered with status ${response.status}` }),
  );
  throw new Problem(response.status, facts);
}

function toAddress(path: string, params: object = {}, query: object = {}): string {
  const filled = Object.entries(params).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/api${filled}${search === '' ? '' : `?${search}`}`;
}
