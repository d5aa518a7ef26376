/** What an agent is told when its model is asked: nothing that acts may be within the model's reach. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HEADLESS } from '../../src/agents/headless.ts';
import { judgeModelFailure } from '../../src/base/model/model-failure.ts';
import { PACK_MARKER } from '../../src/base/model/pack.ts';

const question = { prompt: `<!-- ${PACK_MARKER} 1 -->\nWhat?\n`, schema: { type: 'object' } };
const toRun = (id: string, more: object = {}) => {
  const headless = HEADLESS.find(({ facts }) => facts.id === id);
  assert.ok(headless);
  return headless.toRun({ question, folder: '/tmp/x', texts: {}, ...more });
};

describe('a question to the model of an agent', () => {
  it('begins with the marker, on standard input, for every agent', () => {
    for (const { facts } of HEADLESS) {
      const { input, args } = toRun(facts.id);
      assert.ok(input.startsWith(`<!-- ${PACK_MARKER}`), facts.id);
      assert.ok(!args.join(' ').includes(PACK_MARKER), 'other users of a machine see arguments');
    }
  });

  it('names the model only if the user chose one', () => {
    for (const { facts } of HEADLESS) {
      assert.ok(toRun(facts.id, { model: 'chosen' }).args.includes('chosen'), facts.id);
      assert.ok(!toRun(facts.id).args.some((arg) => arg === '-m' || arg === '--model'), facts.id);
    }
  });

  it('reaches no server of the configuration of Codex', () => {
    const toArgs = (config: string) => toRun('codex', { texts: { 'config.toml': config } }).args.join(' ');
    const two = toArgs(
      '[mcp_servers.docs]\ncommand = "x"\n[mcp_servers.docs.env]\nA = "b"\n  [ mcp_servers . git-hub ]\n',
    );
    assert.match(two, /mcp_servers\.docs\.enabled=false/);
    assert.match(two, /mcp_servers\.git-hub\.enabled=false/);
    assert.doesNotMatch(two, /--ignore-user-config/);
    for (const config of [
      '[mcp_servers."a b"]\n',
      'mcp_servers = { a = { command = "x" } }\n',
      'mcp_servers.a.command = "x"\n',
    ])
      assert.match(toArgs(config), /--ignore-user-config/, config);
    assert.doesNotMatch(toArgs('model = "x"\n# mcp_servers = 1\n'), /mcp_servers|--ignore-user-config/);
  });

  it('goes to no free model of OpenCode that the user did not choose', () => {
    const isOpen = (more: object): boolean =>
      !toRun('opencode', more).env.OPENCODE_CONFIG_CONTENT?.includes('"opencode":{"whitelist":[]}');
    const toTexts = (auth: string) => ({ texts: { 'opencode/auth.json': auth } });
    for (const closed of [{}, { model: 'openai/gpt-5.1' }, toTexts('{"openai":{"type":"api"}}'), toTexts('"opencode"')])
      assert.equal(isOpen(closed), false, JSON.stringify(closed));
    for (const chosen of [{ model: 'opencode/big-pickle' }, toTexts('{"opencode":{"type":"api"}}')])
      assert.equal(isOpen(chosen), true, JSON.stringify(chosen));
  });

  it('is not part of the session that asks, but keeps the login', () => {
    const { drop } = toRun('claude-code');
    const isDropped = (name: string): boolean => drop?.test(name) === true;
    for (const name of [
      'CLAUDECODE',
      'CLAUDE_CODE_SESSION_ID',
      'CLAUDE_CODE_ENTRYPOINT',
      'CLAUDE_PID',
      'CLAUDE_ENV_FILE',
    ])
      assert.ok(isDropped(name), name);
    for (const name of ['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CONFIG_DIR', 'ANTHROPIC_API_KEY'])
      assert.ok(!isDropped(name), name);
  });
});

describe('the failure of a model', () => {
  const cases: readonly (readonly [string, number | undefined, string, number?])[] = [
    ['Not logged in · Please run /login', undefined, 'not-logged-in'],
    ['forbidden', 403, 'not-logged-in'],
    ['Request rejected (429) · This request would exceed your rate limit', 429, 'rate-limit'],
    ['You exceeded your current quota. Please retry in 20s.', undefined, 'rate-limit', 20_000],
    ['usage limit reached, try again in 3 minutes', undefined, 'rate-limit', 180_000],
    ['Overloaded', 529, 'rate-limit'],
    ['Credit balance is too low', 400, 'over-budget'],
    ['insufficient_quota', 429, 'over-budget'],
    ['blocked due to safety settings', undefined, 'refused'],
    ['boom', 500, 'failed', 2_000],
    ['unknown option --x', undefined, 'failed'],
  ];

  for (const [text, status, kind, retryAfterMs] of cases) {
    it(`is ${kind}: ${text}`, () => {
      const expected = retryAfterMs === undefined ? { kind } : { kind, retryAfterMs };
      assert.deepEqual(judgeModelFailure(text, status), expected);
    });
  }
});
