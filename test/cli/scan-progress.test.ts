import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makePlainProgress } from '../../src/surfaces/cli/make-plain-progress.ts';
import { makeScanProgress, renderScanProgress, renderScanStatus } from '../../src/surfaces/cli/render-scan.ts';
import { NOTHING_SCANNED } from '../../src/surfaces/scan/scan-status.ts';

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

describe('what the daemon has read by itself', () => {
  const last = { at: 'T1', seconds: 1, files: 9, filesRead: 2, calls: 30, unreadable: 0 };

  it('is said in a line', () => {
    assert.equal(renderScanStatus(NOTHING_SCANNED), 'It has not looked through all session files yet.');
    assert.equal(
      renderScanStatus({ isUnderWay: false, last, grown: { calls: 0 } }),
      'Last scan at T1: 9 session files, 2 with something new, 30 calls.',
    );
    assert.equal(
      renderScanStatus({ isUnderWay: true, last: { ...last, unreadable: 1 }, grown: { calls: 4, at: 'T2' } }),
      'Last scan at T1: 9 session files, 2 with something new, 1 could not be read, 30 calls. 4 calls from files that grew, last at T2. Files are being read now.',
    );
  });
});
