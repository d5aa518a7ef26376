import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CallView, toWrittenView } from '../../src/base/triggers/call-view.ts';
import { renderAllTriggers } from '../../src/base/triggers/render-triggers.ts';
import { hasTarget, type Triggers } from '../../src/base/triggers/trigger.ts';
import { TRIGGER_PARTS } from '../../src/base/triggers/trigger-parts.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { triggersSchema } from '../../src/keep/schemas/lesson-input-schema.ts';
import { findTriggerSecret } from '../../src/loop/checks/lesson-secrets.ts';
import { findTriggerFault } from '../../src/loop/checks/trigger-faults.ts';

const run = (command: string, fields: Partial<CallView> = {}): CallView => ({
  ...toWrittenView('shell', { command }),
  ...fields,
});
const edit = (path: string, content = ''): CallView => toWrittenView('edit', { path, content, json: content });
const said = (...messages: readonly string[]): CallView => run('ls', { messages: () => messages });

interface Example {
  readonly triggers: Triggers;
  readonly fires: CallView;
  readonly silent: CallView;
  /** With a token in the place of its values. */
  readonly secret?: (token: string) => Triggers;
}

/** Without `failure`, which keeps a lesson from firing before any call. */
const EXAMPLES: { readonly [P in keyof Required<Omit<Triggers, 'failure'>>]: Example } = {
  tools: { triggers: { tools: ['edit'] }, fires: edit('/a'), silent: run('ls') },
  programs: {
    triggers: { programs: [{ name: 'npm' }] },
    fires: run('npm ci'),
    silent: run('ls'),
    secret: (token) => ({ programs: [{ name: 'curl', args: { any: [token] } }] }),
  },
  command: {
    triggers: { command: { match: ['--force'] } },
    fires: run('git push --force'),
    silent: run('git push'),
    secret: (token) => ({ command: { match: [token] } }),
  },
  line: {
    triggers: { line: { unless: ['^FOO='] } },
    fires: run('ls'),
    silent: run('FOO=1 ls'),
    secret: (token) => ({ line: { unless: [token] } }),
  },
  directory: {
    triggers: { programs: [{ name: 'ls' }], directory: { in: 'web' } },
    fires: run('ls', { cwd: '/shop/web' }),
    silent: run('ls', { cwd: '/shop' }),
    secret: (token) => ({ command: { match: ['x'] }, directory: { in: token } }),
  },
  paths: {
    triggers: { paths: ['*.sql'] },
    fires: edit('/a.sql'),
    silent: edit('/a.ts'),
    secret: (token) => ({ paths: [token] }),
  },
  reads: {
    triggers: { reads: ['lib/cart'] },
    fires: run('head lib/cart/total.ts'),
    silent: run('ls lib/cart'),
    secret: (token) => ({ reads: [token] }),
  },
  content: {
    triggers: { content: { match: ['any'] } },
    fires: edit('/a.ts', 'let x: any'),
    silent: edit('/a.ts', 'let x'),
    secret: (token) => ({ content: { match: [token] } }),
  },
  input: {
    triggers: { input: { match: ['"all":true'] } },
    fires: toWrittenView('mcp:x', { json: '{"all":true}' }),
    silent: toWrittenView('mcp:x', { json: '{}' }),
    secret: (token) => ({ input: { match: [token] } }),
  },
  session: {
    triggers: { tools: ['shell'], session: { unless: [{ ran: 'npm ci' }] } },
    fires: run('ls', { past: () => false }),
    silent: run('ls', { past: () => true }),
    secret: (token) => ({ tools: ['shell'], session: { unless: [{ ran: token }] } }),
  },
  subagents: {
    triggers: { subagents: ['planner'] },
    fires: run('ls', { subagentType: 'planner' }),
    silent: run('ls'),
    secret: (token) => ({ subagents: [token] }),
  },
  workflows: {
    triggers: { workflows: ['ship'] },
    fires: run('ls', { startedAs: 'ship' }),
    silent: run('ls', { workflows: () => [] }),
    secret: (token) => ({ workflows: [token] }),
  },
  actionKeywords: {
    triggers: { actionKeywords: ['deploy'] },
    fires: said('we deployed it'),
    silent: said('hello'),
    secret: (token) => ({ actionKeywords: [token] }),
  },
  contextKeywords: {
    triggers: { contextKeywords: ['billing'] },
    fires: said('the billing page'),
    silent: said('hello'),
    secret: (token) => ({ contextKeywords: [token] }),
  },
  unless: {
    triggers: { tools: ['shell'], unless: { programs: [{ name: 'nvm' }] } },
    fires: run('npm ci'),
    silent: run('nvm use 20 && npm ci'),
    secret: (token) => ({ tools: ['shell'], unless: { keywords: [token] } }),
  },
};

describe('a trigger on a failure', () => {
  const triggers: Triggers = { tools: ['shell'], failure: true };

  it('fires on no call before it runs', () => {
    assert.equal(judgeTriggers(triggers, run('ls')).holds, false);
  });

  it('is accepted by the schema, rendered, and no target', () => {
    assert.deepEqual(triggersSchema.safeParse(triggers).data, triggers);
    assert.match(renderAllTriggers(triggers), /error/);
    assert.equal(hasTarget(triggers), false);
    assert.equal(findTriggerFault(triggers), undefined);
  });
});

describe('every part of a trigger', () => {
  for (const [part, { triggers, fires, silent, secret }] of Object.entries(EXAMPLES)) {
    const name = part as keyof Triggers;
    const own: Triggers = { [name]: triggers[name] };

    it(`${part}: restricts the calls on which a lesson fires`, () => {
      assert.equal(judgeTriggers(triggers, fires).holds, true);
      assert.equal(judgeTriggers(triggers, silent).holds, false);
    });

    it(`${part}: is accepted by the schema, rendered, and known as a target or not`, () => {
      assert.deepEqual(triggersSchema.safeParse(triggers).data, triggers);
      assert.notEqual(renderAllTriggers(own), 'every call');
      assert.equal(hasTarget(own), TRIGGER_PARTS[name].isTarget);
    });

    it(`${part}: is searched for secrets`, () => {
      const token = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40);
      if (secret !== undefined) assert.equal(findTriggerSecret(secret(token)), `triggers.${part}`);
    });
  }

  it('makes a lesson that never fires if an exception names all its values, also for programs', () => {
    const programs = [{ name: 'npm', sub: ['ci'] }];
    assert.equal(judgeTriggers({ programs, unless: { programs } }, run('npm ci')).holds, false);
    assert.match(findTriggerFault({ programs, unless: { programs } }) ?? '', /unless has all of its programs/);
    assert.equal(findTriggerFault({ programs, unless: { programs: [{ name: 'npm', sub: ['test'] }] } }), undefined);
  });
});
