/** Our MCP server as a client of the official SDK meets it: the same over stdio and over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { TOOLS } from '../../src/surfaces/mcp/tools.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { toRuns } from '../to-runs.ts';
import { openHttp, openStdio, type TestClient } from './open-client.ts';

for (const [way, open] of Object.entries({ stdio: openStdio, HTTP: openHttp }))
  describe(`the MCP server over ${way}`, { timeout: 600_000 }, () => {
    let shell: Shell;
    let client: TestClient;
    before(async () => {
      shell = openShell();
      client = await open(shell);
    });
    after(async () => {
      await client.close();
      await shell.close();
    });
    const report = (session: string, input: object) =>
      client.call('memory_capture', {
        ...{ action: 'tool_outcome', session_id: session, tool: 'shell', cwd: client.project },
        ...input,
      });
    const fails = { command: 'shipit send --fast', outcome: 'failure', exit_code: 2 };
    const error = { output: 'error: unexpected argument --fast found' };

    it('lists its tools, with a description, a closed input and a true hint whether they only read', async () => {
      const { tools } = await client.client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS.map(({ name }) => name),
      );
      for (const { description = '', inputSchema } of tools) {
        assert.ok(description.length > 100);
        assert.equal(inputSchema.additionalProperties, false);
      }
      const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
      assert.deepEqual(reading, ['lesson_search', 'explain_call', 'failures']);
    });

    it('records a failure and its fix, learns the lesson, and gives it with the next such failure', async () => {
      assert.equal((await report('opencode-1', { ...fails, ...error })).value.recorded, true);
      const fixed = { command: 'shipit send --quick', outcome: 'success', exit_code: 0, output: 'sent' };
      assert.equal((await report('opencode-1', fixed)).value.note, undefined);
      const { value } = await client.call('memory_capture', {
        action: 'session_end_analysis',
        session_id: 'opencode-1',
        cwd: client.project,
      });
      assert.deepEqual([value.calls, value.failures, (value.lessons as unknown[]).length], [2, 1, 1]);
      assert.match(String((await report('opencode-2', { ...fails, ...error })).value.note), /--quick/);
    });

    it('stores a call that is reported twice once, and counts refused and cancelled calls as no failures', async () => {
      for (let n = 0; n < 2; n++) await report('twice-1', { ...fails, ...error, call_id: 'call-1' });
      await report('twice-1', { command: 'rm x', outcome: 'denied' });
      await report('twice-1', { command: 'sleep 9', outcome: 'cancelled' });
      const { value } = await client.call('memory_capture', { action: 'status', session_id: 'twice-1' });
      assert.deepEqual(value.session, { calls: 3, failures: 1 });
      assert.deepEqual([value.recording, value.recorded_by_hooks], [true, []]);
    });

    it('finds lessons by their words, explains a call, and lists what keeps failing', async () => {
      const found = await client.call('lesson_search', { query: 'shipit quick' });
      assert.equal(found.value.total, 1);
      const call = { command: 'shipit send --fast web', cwd: client.project };
      const explained = await client.call('explain_call', call);
      assert.equal((explained.value.lessons as unknown[]).length, 1);
      const cured = await client.call('explain_call', { ...call, failure: error.output });
      assert.match(cured.text, /--quick/);
      const failed = await client.call('failures', { project: '.', cwd: client.project });
      assert.equal((failed.value.failures as { failed: number }[])[0]?.failed, 3);
    });

    it('makes a proposed lesson a draft, which fires only after a person has approved it', async () => {
      const wish = { summary: 'Ask before you wipe', program: ['wipe'], fix: 'ask', cwd: client.project };
      const { value } = await client.call('lesson_add', wish);
      assert.equal(value.status, 'draft');
      const ask = async () =>
        (await client.call('explain_call', { command: 'wipe all', cwd: client.project })).value.lessons as unknown[];
      assert.deepEqual(await ask(), []);
      await shell.json('lessons', 'approve', String(value.lesson));
      assert.equal((await ask()).length, 1);
      assert.match((await client.call('lesson_add', wish)).text, /already exists/);
    });

    it('takes feedback on a lesson, as of an agent', async () => {
      const found = await client.call('lesson_search', { query: 'shipit' });
      const [{ lesson = '' } = {}] = found.value.lessons as readonly { lesson: string }[];
      const said = await client.call('lesson_feedback', { lesson, verdict: 'not-helpful', note: 'another version' });
      assert.equal((said.value.feedback as { from: string }).from, 'agent');
    });

    it('offers lessons and unresolved failures as resources, and prompts', async () => {
      const { resourceTemplates } = await client.client.listResourceTemplates();
      assert.equal(resourceTemplates.length, 2);
      for (const name of ['lessons', 'failures']) {
        const uri = `oncebitten://project/${encodeURIComponent(client.project)}/${name}`;
        const { contents } = await client.client.readResource({ uri });
        assert.ok(JSON.parse((contents[0] as { text: string }).text)[name].length > 0, name);
      }
      const { resources } = await client.client.listResources();
      assert.deepEqual(
        resources.map(({ uri }) => uri),
        way === 'stdio' ? ['oncebitten://lessons', 'oncebitten://failures'] : [],
      );
      for (const { uri } of resources) assert.equal((await client.client.readResource({ uri })).contents.length, 1);
      const { prompts } = await client.client.listPrompts();
      for (const { name } of prompts)
        assert.ok((await client.client.getPrompt({ name })).messages[0]?.content.type === 'text');
    });

    it('says what is wrong with a call and what to do, and goes on', async () => {
      const wrong: readonly (readonly [string, object, RegExp])[] = [
        ['memory_capture', { action: 'tool_outcome' }, /lacks session_id, tool, outcome/],
        ['memory_capture', { action: 'nothing' }, /the input of/],
        ['memory_capture', { action: 'status', more: 1 }, /the input of/],
        ['memory_capture', { action: 'status', session_id: 'a b\n' }, /the input of/],
        ['lesson_feedback', { lesson: 'no-such-lesson', verdict: 'helpful' }, /is not known/],
        ['lesson_add', { summary: 'Fires everywhere', cwd: client.project }, /would match every call/],
        ['lesson_search', { project: 'no-such-project' }, /neither a known project/],
        ['lesson_search', { project: 'x\0y' }, /neither a known project/],
        ['failures', { project: 'x'.repeat(4_096) }, /neither a known project/],
        ['failures', { since: 'yesterday' }, /yesterday/],
        ['failures', { limit: 1_000 }, /the input of/],
        ['explain_call', { command: 'x', cwd: 'not/whole' }, /the input of/],
      ];
      for (const [tool, input, message] of wrong) {
        const { isError, text } = await client.call(tool, input);
        assert.equal(isError, true, tool);
        assert.match(text, message);
      }
      assert.equal((await client.call('lesson_search', {})).isError, false);
    });

    it('answers every input of every tool, whatever it is, and goes on', async () => {
      const words = fc.constantFrom('', '.', 'shell', 'draft', 'helpful', 'status', 'session_end_analysis', '/', '7d');
      const value = fc.oneof(words, fc.string({ unit: 'binary', maxLength: 40 }), fc.jsonValue({ maxDepth: 2 }));
      const property = fc.asyncProperty(fc.constantFrom(...TOOLS), fc.infiniteStream(value), async (tool, values) => {
        const fields = Object.keys(tool.input.shape).filter((name) => name !== 'action');
        const given = fields.map((name) => [name, values.next().value] as const);
        const some = given.filter(() => typeof values.next().value === 'string');
        const input = { ...(tool.name === 'memory_capture' ? { action: 'status' } : {}), ...Object.fromEntries(some) };
        const { text } = await client.call(tool.name, input);
        assert.doesNotMatch(text, /internal error/, JSON.stringify(input));
      });
      await fc.assert(property, { numRuns: toRuns(way === 'stdio' ? 150 : 40) });
      assert.equal((await client.client.listTools()).tools.length, TOOLS.length);
    });

    it('records nothing while Oncebitten is paused, and says so', async () => {
      await shell.json('pause');
      const { value } = await report('paused-1', { ...fails, ...error });
      assert.deepEqual([value.recorded, value.because], [false, 'Oncebitten is paused here']);
      await shell.json('resume');
      const status = await client.call('memory_capture', { action: 'status', session_id: 'paused-1' });
      assert.deepEqual(status.value.session, { calls: 0, failures: 0 });
    });
  });

describe('the MCP server over HTTP', () => {
  it('asks for the folder that it cannot know', async (t) => {
    const shell = openShell();
    t.after(() => shell.close());
    const client = await openHttp(shell);
    t.after(() => client.close());
    const report = { action: 'tool_outcome', session_id: 'a', tool: 'shell', command: 'x', outcome: 'failure' };
    for (const [tool, input] of [
      ['memory_capture', report],
      ['explain_call', { command: 'x' }],
      ['failures', { project: '.' }],
      ['lesson_add', { summary: 'x', program: ['x'] }],
    ] as const)
      assert.match((await client.call(tool, input)).text, /send it as cwd/);
  });
});
