import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallView } from '../../src/base/triggers/call-view.ts';
import { findKeywordHints } from '../../src/base/triggers/check-conversation.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { scoreLesson } from '../../src/match/match-lessons.ts';
import { makeCallView, makeShellCall } from './make-call-view.ts';

const check = (triggers: Triggers, call: CallView, callOnly = false) => judgeTriggers(triggers, call, { callOnly });
const fires = (triggers: Triggers, call: CallView) => check(triggers, call).holds;
const because = (triggers: Triggers, call: CallView) => {
  const verdict = check(triggers, call);
  return verdict.holds ? '' : verdict.because;
};
const saying = (...messages: string[]): Partial<CallView> => ({ messages: () => messages });
const following = (...names: string[]): Partial<CallView> => ({ workflows: () => names });
const push = (fields: Partial<CallView> = {}) => makeShellCall('git push', fields);
const unknown = () => undefined;

describe('keywords', () => {
  const PUSH: Triggers = { tools: ['shell'], programs: [{ name: 'git', sub: ['push'] }] };

  it('are searched in the last messages, and any one is enough', () => {
    for (const part of ['actionKeywords', 'contextKeywords'] as const) {
      const triggers = { ...PUSH, [part]: ['release', 'hot fix'] };
      assert.ok(fires(triggers, push(saying('hello', 'cut the Release'))));
      assert.ok(fires(triggers, push(saying('a hot\nfix'))));
      assert.equal(because(triggers, push(saying('hello'))), '"release" or "hot fix" is not in the last messages');
    }
  });

  it('match in their English word forms once they are compiled', () => {
    const triggers = { ...PUSH, actionKeywords: ['deploy', 'version bump'] };
    const hears = (said: string) => judgeTriggers(triggers, push(saying(said))).holds;
    for (const said of ['deployed it', 'who deploys', 'Deploying now', 'two version bumps', 'deploy'])
      assert.ok(hears(said), said);
    for (const said of ['deployment', 'redeploy', 'versions']) assert.ok(!hears(said), said);
    assert.equal(because(triggers, push(saying('hello'))), '"deploy" or "version bump" is not in the last messages');
    const silent: Triggers = { ...PUSH, unless: { keywords: ['rehearse'] } };
    assert.ok(!judgeTriggers(silent, push(saying('we are rehearsing'))).holds);
  });

  it('only raise the score if a lesson names its tools and files', () => {
    const triggers: Triggers = {
      ...{ tools: ['edit'], paths: ['**/plugin.json'], actionKeywords: ['release'], contextKeywords: ['shop'] },
    };
    const edit = (fields: Partial<CallView>) => makeCallView({ tool: 'edit', path: '/a/plugin.json', ...fields });
    assert.ok(fires(triggers, edit(saying('hello'))));
    assert.ok(fires(triggers, edit({ messages: unknown })));
    const score = (fields: Partial<CallView>) =>
      scoreLesson({ triggers, priority: 5 }, [], findKeywordHints(triggers, edit(fields))).total;
    assert.deepEqual(
      [score({ messages: unknown }), score(saying('release it')), score(saying('release the shop'))],
      [0.9, 0.95, 1],
    );
    const never = { messages: () => assert.fail('asked') };
    assert.equal(findKeywordHints({ tools: ['edit'], paths: ['a'] }, edit(never)), undefined);
    assert.equal(findKeywordHints({ ...PUSH, actionKeywords: ['release'] }, push(never)), undefined);
    assert.ok(!fires({ ...triggers, unless: { keywords: ['draft'] } }, edit(saying('only a draft'))));
  });

  it('must match in both lists if both are given', () => {
    const triggers = { ...PUSH, actionKeywords: ['release'], contextKeywords: ['marketplace'] };
    assert.ok(fires(triggers, push(saying('release it', 'to the marketplace'))));
    assert.ok(!fires(triggers, push(saying('release it'))));
    assert.ok(!fires(triggers, push(saying('to the marketplace'))));
  });

  it("of an action may be in the call's own description, and then the messages are not read", () => {
    const described = (description: unknown) => ({
      json: JSON.stringify({ command: 'git push', description }),
      messages: () => assert.fail('asked'),
    });
    assert.ok(fires({ ...PUSH, actionKeywords: ['release'] }, push(described('Push the release branch'))));
    const odd = { ...push(described(7)), messages: unknown };
    assert.ok(!fires({ ...PUSH, actionKeywords: ['release'] }, odd));
    const context = { ...push(described('Push the release branch')), ...saying('hello') };
    assert.ok(!fires({ ...PUSH, contextKeywords: ['release'] }, context));
    const cut = { ...push(saying('hello')), json: '{"description":"release' };
    assert.ok(!fires({ ...PUSH, actionKeywords: ['release'] }, cut));
  });

  it('are not searched in text that is written to a file', () => {
    const call = makeCallView({ tool: 'edit', json: '{"description":"release"}', ...saying('hello') });
    assert.ok(!fires({ tools: ['edit'], actionKeywords: ['release'] }, call));
  });

  it('keep a lesson silent if the messages are unknown, with the reason', () => {
    for (const fields of [{}, { messages: unknown }])
      assert.equal(
        because({ ...PUSH, actionKeywords: ['release'] }, push(fields)),
        'unknown whether the last messages contain "release"',
      );
  });

  it('are checked only if everything else holds', () => {
    const triggers: Triggers = {
      tools: ['shell'],
      programs: [{ name: 'git', sub: ['push'] }],
      command: { unless: ['--dry-run'] },
      session: { unless: [{ ran: 'make check' }] },
      subagents: ['publisher'],
      actionKeywords: ['release'],
      contextKeywords: ['marketplace'],
      workflows: ['ship'],
      unless: {
        tools: ['web'],
        programs: [{ name: 'nvm' }],
        subagents: ['tester'],
        workflows: ['try'],
        keywords: ['later'],
      },
    };
    const talk = { messages: () => assert.fail('asked'), workflows: () => assert.fail('asked') };
    const by = { subagentType: 'publisher', past: () => false };
    const calls = [
      makeShellCall('git pull', { ...by, ...talk }),
      makeShellCall('git push --dry-run', { ...by, ...talk }),
      makeShellCall('make check && git push', { ...by, ...talk }),
      makeShellCall('nvm use 20 && git push', { ...by, ...talk }),
      makeShellCall('git push', { ...talk, past: () => false }),
      makeShellCall('git push', { ...by, ...talk, past: unknown }),
      makeCallView({ tool: 'web', ...by, ...talk }),
    ];
    for (const call of calls) assert.ok(!fires(triggers, call));
    const whole = makeShellCall('git push', { ...by, ...saying('release to the marketplace'), ...following('ship') });
    assert.ok(fires(triggers, whole));
  });
});

describe('workflows', () => {
  const SHIP: Triggers = { tools: ['edit'], workflows: ['ship', '/release'] };
  const edit = (fields: Partial<CallView>) => makeCallView({ tool: 'edit', path: '/a.ts', ...fields });

  it('hold while the conversation follows one of them, with or without a slash, of a plugin or not', () => {
    for (const name of ['ship', 'release', 'tools:ship']) assert.ok(fires(SHIP, edit(following(name))), name);
    for (const name of ['shipping', 'friendship', 'ship:tools', 'Ship'])
      assert.ok(!fires(SHIP, edit(following(name))), name);
    assert.equal(because(SHIP, edit(following())), 'the conversation does not follow ship or /release');
  });

  it('hold for a conversation that was started as that agent, and then it is not read', () => {
    assert.ok(fires(SHIP, edit({ startedAs: 'ship', workflows: () => assert.fail('asked') })));
    assert.ok(!fires(SHIP, edit({ startedAs: 'tester', ...following() })));
    assert.ok(fires(SHIP, edit({ startedAs: 'tester', ...following('ship') })));
  });

  it('keep a lesson silent if the conversation is unknown', () => {
    for (const fields of [{}, { workflows: unknown }])
      assert.match(because(SHIP, edit(fields)), /^unknown whether the conversation follows/);
  });
});

describe('an exception', () => {
  const call = makeCallView({ tool: 'edit', path: '/repo/gen/a.ts', subagentType: 'tester', content: 'x' });

  it('silences by tool, file or sub-agent, each alone', () => {
    const base: Triggers = { paths: ['*.ts'] };
    assert.ok(fires(base, call));
    assert.equal(because({ ...base, unless: { tools: ['edit'] } }, call), 'is not about edit');
    assert.equal(because({ ...base, unless: { paths: ['gen/**', '*.d.ts'] } }, call), 'is not about gen/** or *.d.ts');
    assert.equal(because({ ...base, unless: { subagents: ['tester'] } }, call), 'is not for the sub-agent tester');
    const others = { tools: ['read'] as const, paths: ['src/**'], subagents: ['planner'] };
    assert.ok(fires({ ...base, unless: others }, call));
    for (const one of [{ tools: ['edit'] as const }, { paths: ['*.ts'] }, { subagents: ['tester'] }])
      assert.ok(!fires({ ...base, unless: { ...others, ...one } }, call));
  });

  it('silences by another command of the same line, not by a mere word', () => {
    const triggers: Triggers = { programs: [{ name: 'npm' }], unless: { programs: [{ name: 'nvm', sub: ['use'] }] } };
    assert.equal(because(triggers, makeShellCall('nvm use 20 && npm test')), '`nvm use` makes it harmless');
    assert.ok(fires(triggers, makeShellCall('nvm ls; npm test')));
    assert.ok(fires(triggers, makeShellCall('echo "nvm use 20"; npm test')));
  });

  it('silences by keywords, in the messages or in the call itself', () => {
    const triggers: Triggers = { programs: [{ name: 'git' }], unless: { keywords: ['dry run'] } };
    assert.equal(because(triggers, push(saying('only a dry run'))), '"dry run" is in the last messages');
    assert.ok(fires(triggers, push(saying('go'))));
    assert.match(because(triggers, push({ messages: unknown })), /^unknown/);
    const own = { json: '{"description":"Dry run"}', messages: () => assert.fail('asked') };
    assert.ok(!fires(triggers, push(own)));
  });

  it('silences by the workflow that the conversation follows or was started as', () => {
    const triggers: Triggers = { programs: [{ name: 'git' }], unless: { workflows: ['ship'] } };
    assert.equal(because(triggers, push(following('ship'))), 'the conversation follows ship');
    assert.ok(!fires(triggers, push({ startedAs: 'ship', workflows: () => assert.fail('asked') })));
    assert.ok(fires(triggers, push(following())));
    assert.match(because(triggers, push()), /^unknown/);
  });

  it('about files does not apply to a call without one', () => {
    assert.ok(fires({ programs: [{ name: 'git' }], unless: { paths: ['**'] } }, push()));
  });
});

describe('the check of a past call', () => {
  const TALK: Triggers = {
    programs: [{ name: 'git' }],
    subagents: ['publisher'],
    workflows: ['ship'],
    actionKeywords: ['release'],
    contextKeywords: ['marketplace'],
    unless: { subagents: ['tester'], workflows: ['try'], keywords: ['later'], programs: [{ name: 'nvm' }] },
  };

  it('ignores the sub-agent and the messages', () => {
    assert.ok(!check(TALK, push()).holds);
    assert.ok(check(TALK, push({ messages: () => assert.fail('asked') }), true).holds);
  });

  it('still requires everything that the call shows', () => {
    assert.ok(!check(TALK, makeShellCall('gh status'), true).holds);
    assert.ok(!check(TALK, makeShellCall('nvm use 20; git push'), true).holds);
  });
});
