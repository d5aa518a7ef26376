import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeRow } from '../../src/agents/claude-code/decode-row.ts';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { makeDigester } from '../../src/loop/digest-events.ts';

const COPIED = 'the nightly window opens only after the caches of this service were warmed by hand';
const PAD = 'nothing that anybody would want to write down\n'.repeat(80);
const REPORT = `Done.\n\n#lesson\ntool: Bash\ntrigger: deploy now\nmistake: ${COPIED}\nfix: ${COPIED}\n#/lesson`;

type Shape = (text: string) => unknown;

const text: Shape = (one) => one;
const blocks: Shape = (one) => [{ type: 'text', text: one }];

/** A tool, what the model is told, and the output object beside it. */
const TOOLS: readonly (readonly [name: string, input: object, told: Shape, output: Shape])[] = [
  ['Bash', { command: 'cat a.md' }, text, (stdout) => ({ stdout, stderr: '', interrupted: false })],
  ['Read', { file_path: '/w/a.md' }, text, (content) => ({ type: 'text', file: { filePath: '/w/a.md', content } })],
  ['WebFetch', { url: 'https://a.example' }, text, (result) => ({ code: 200, result, url: 'https://a.example' })],
  ['WebSearch', { query: 'q' }, text, (found) => ({ query: 'q', results: [{ content: [{ title: found }] }, found] })],
  ['Task', { prompt: 'p' }, blocks, (answer) => ({ status: 'completed', content: blocks(answer) })],
  ['mcp__docs__get', { id: 1 }, blocks, blocks],
];

async function look(rows: readonly string[]): Promise<readonly Finding[]> {
  const reader = openTranscript({ path: '/x/s1.jsonl', siblingFiles: {} });
  const events = rows.flatMap((row, n) => reader.read(decodeRow(Buffer.from(row)), n + 1));
  const scan = makeSecretScan({ log: (line) => assert.fail(line) });
  const { findings } = await makeDigester({ trackedTools: () => ['shell', 'read'], scan })(events);
  return findings.map(({ finding }) => finding);
}

function toRows(printed: string, [name, input, told, output]: (typeof TOOLS)[number], asked = 'go on'): string[] {
  const row = (n: number, type: string, content: unknown, more: object = {}): string =>
    JSON.stringify({
      ...{ type, uuid: `u${n}`, sessionId: 's1', cwd: '/w', version: '2.1.0', message: { role: type, content } },
      ...{ timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(), ...more },
    });
  return [
    row(0, 'user', asked),
    row(1, 'assistant', [{ type: 'tool_use', id: 't1', name, input }]),
    row(2, 'user', [{ type: 'tool_result', tool_use_id: 't1', content: told(printed) }], {
      toolUseResult: output(printed),
    }),
    row(3, 'assistant', [{ type: 'text', text: REPORT }]),
  ];
}

describe('words of a report that were copied from what a tool printed', () => {
  for (const tool of TOOLS) {
    it(`are not carried into the draft: ${tool[0]}, short and in the middle of much else`, async () => {
      for (const printed of [COPIED, `${PAD}${COPIED}\n${PAD}`]) {
        const [finding] = await look(toRows(printed, tool));
        assert.ok(finding);
        assert.match(finding.caution ?? '', /its words stand in an output only/);
        // Of the signature only its id is kept with a lesson.
        assert.doesNotMatch(JSON.stringify({ ...finding, signature: '' }), /nightly|warmed/);
      }
    });
  }

  it('are the agent’s own where nothing printed them, and stay where the user said them', async () => {
    const [bash = TOOLS[0]] = TOOLS;
    assert.ok(bash);
    const [own] = await look(toRows(PAD, bash));
    assert.equal(own?.remediation, COPIED);
    const [said] = await look(toRows(COPIED, bash, `Mind that ${COPIED}.`));
    assert.equal(said?.remediation, COPIED);
  });
});
