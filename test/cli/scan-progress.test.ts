import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOTHING_SCANNED } from '../../src/loop/scan/scan-counts.ts';
import {
  makeScanProgress,
  renderScanProgress,
  renderScanStatus,
  renderScanTotals,
} from '../../src/surfaces/cli/scan/scan-report.ts';
import { makePlainProgress } from '../../src/surfaces/cli/terminal.ts';

const HALF = { files: 10, filesDone: 5, bytes: 80e6, bytesDone: 40e6 };

describe('the progress of a scan', () => {
  it('is how much, how fast, and how long still', () => {
    assert.equal(renderScanProgress(HALF, 2), '5/10 files, 20 MB/s, 2 s left');
    assert.equal(renderScanProgress({ ...HALF, filesDone: 0, bytesDone: 0 }, 0), '0/10 files, 0 MB/s');
  });

  it('has a bar on a terminal, and says nothing where nothing is to be read', () => {
    const lines: string[] = [];
    makeScanProgress((line) => lines.push(line))(HALF);
    assert.match(lines[0] ?? '', /^Reading sessions █{10}░{10} 5\/10 files, /);
    makeScanProgress((line) => lines.push(line))({ files: 0, filesDone: 0, bytes: 0, bytesDone: 0 });
    assert.equal(lines.length, 1);
  });

  it('is a plain line now and then elsewhere', () => {
    let nowMs = 0;
    const lines: string[] = [];
    const show = makePlainProgress(
      (line) => lines.push(line),
      () => nowMs,
    );
    for (; nowMs < 12_000; nowMs += 100) show(`Reading sessions ███░░ ${nowMs / 1000} s`);
    assert.deepEqual(lines, ['Reading sessions 5 s\n', 'Reading sessions 10 s\n']);
  });
});

describe('what a scan found', () => {
  const AGENT = { agent: 'codex', files: 1_200, filesRead: 1, sessions: 1, calls: 1, failures: 0 };
  const TOTALS = {
    ...{ sessions: 1, calls: 1, failures: 0, masked: 0, cancelled: 0, denied: 0, bytes: 9, findings: 0 },
    ...{ agents: [AGENT], vanished: 1, unreadable: [], skipped: { 'broken JSON': 1, 'line cut off': 2_000 } },
    ...{ seconds: 0.2, lessons: 1, drafts: 2 },
  };

  it('is said in short lines, and one is not many', () => {
    assert.deepEqual(renderScanTotals(TOTALS), [
      'Read 1 file (1,198 had not changed) in 0.2 s: 1 call in 1 session.',
      '  0 failed',
      '  0 denied, 0 cancelled',
      '  codex: 1 of 1,200 files, 1 session, 1 call, 0 failures',
      '  1 line skipped: broken JSON',
      '  2,000 lines skipped: line cut off',
      '  1 file deleted during the scan',
      'There are now 1 active lesson and 2 drafts. See them: oncebitten lessons list',
    ]);
    const agents = [{ ...AGENT, files: 2, filesRead: 2 }];
    const [first, second] = renderScanTotals({ ...TOTALS, agents, vanished: 0, failures: 3, masked: 1_000 });
    assert.equal(first, 'Read 2 files in 0.2 s: 1 call in 1 session.');
    assert.match(second ?? '', /^ {2}3 failed, 1,000 .*masked/);
  });
});

describe('what the daemon has read by itself', () => {
  const last = { at: 'T1', seconds: 1, files: 9, filesRead: 2, calls: 30, unreadable: 0 };

  it('is said in a line', () => {
    assert.match(renderScanStatus(NOTHING_SCANNED), /not finished a scan/);
    const idle = renderScanStatus({ isUnderWay: false, last, grown: { calls: 0 } });
    assert.match(idle, /T1.* 9 session files.* 2 .* 30 calls/);
    assert.doesNotMatch(idle, /could not be read|grew|reading/);
    assert.match(
      renderScanStatus({ isUnderWay: true, last: { ...last, unreadable: 1 }, grown: { calls: 4, at: 'T2' } }),
      /T1.* 9 .* 2 .* 1 could not be read.* 30 .* 4 calls .*grew.* T2.* reading/,
    );
  });
});
