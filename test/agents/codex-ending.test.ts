/** Codex tells hooks no exit code; it has written the end of the command into the rollout before. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { codex } from '../../src/agents/codex/hooks.ts';
import { completeEvent } from '../../src/loop/deliver.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/codex/hooks/PostToolUse.Bash.json');
const toRow = (item: object): string =>
  `${JSON.stringify({ timestamp: '2026-11-15T10:00:01.000Z', type: 'event_msg', payload: { type: 'item_completed', item } })}\n`;
const toCommand = (id: string, exitCode: number, more = {}) => ({
  ...{ type: 'CommandExecution', id, command: ['bash', '-lc', 'npm test'], exit_code: exitCode },
  ...{ status: exitCode === 0 ? 'completed' : 'failed', aggregated_output: '1 failing\n', ...more },
});

describe('the end of a command in Codex', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oncebitten-codex-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const complete = (rollout: string) => {
    const file = join(folder, 'rollout.jsonl');
    writeFileSync(file, rollout);
    const payload = { ...JSON.parse(readFileSync(FIXTURE, 'utf8')), transcript_path: file };
    const event = codex.readHook('', payload, '2026-11-15T10:00:01.000Z') ?? assert.fail();
    return completeEvent(event, codex.ending);
  };

  it('is taken from the row with the id of the call', () => {
    const mention = `{"type":"response_item","payload":{"type":"function_call","call_id":"call_bash"}}\n`;
    const rows = toRow(toCommand('call_other', 0)) + mention + toRow(toCommand('call_bash', 3));
    const event = complete(rows + toRow(toCommand('call_bash_2', 0)));
    assert.ok(event.kind === 'call-ended');
    assert.deepEqual([event.callId, event.result.exitCode, event.result.isError], ['call_bash', 3, true]);
    assert.match(event.result.text, /1 failing/);
  });

  it('stays unknown without that row, so the call is not recorded from the hook', () => {
    for (const rollout of ['', '{"half', toRow(toCommand('call_other', 1)), `${'x'.repeat(300_000)}call_bash`])
      assert.equal(complete(rollout).kind, 'call-returned');
  });
});
