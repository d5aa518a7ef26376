import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { auditLessons } from '../../src/loop/checks/audit-lessons.ts';
import { renderAudit } from '../../src/surfaces/cli/lessons/audit.ts';
import { failed, makeWindow, worked } from '../distill/session-script.ts';
import { learnFinding } from './learn-one-finding.ts';

describe('a remedy that a person has to see first', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-held-'));
  let store: Store;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('becomes a draft, and findings and audit say why', async () => {
    const window = makeWindow([
      failed('git commit --noverify -m x', 'error: unknown option `noverify'),
      worked('git commit --no-verify -m x'),
    ]);
    await store.saveCalls(window.calls, 'observed');
    const found = detectFindings(window, [correctedCommand]);
    assert.ok(found.length > 0);
    for (const finding of found) await learnFinding(store, finding, window.calls);
    const [lessons, findings] = [await store.listLessons(), await store.listFindings()];
    assert.deepEqual(
      lessons.map(({ status, needsReview, origin }) => [status, needsReview, origin.trust]),
      [['draft', true, 'foreign']],
    );
    const reason = 'its remedy switches a safeguard off';
    assert.ok(findings.every((one) => one.verdict === 'draft' && one.reason.startsWith(`held back: ${reason}; `)));
    const [history] = await store.listLessonHistory(lessons[0]?.id ?? '');
    assert.match(history?.reason ?? '', /held back: its remedy switches a safeguard off/);
    const audit = auditLessons({ findings, lessons, past: [], toProjectId: (id) => id });
    assert.deepEqual([audit.heldBack, audit.heldBackByReason], [findings.length, { [reason]: findings.length }]);
    assert.match(renderAudit(audit), /made a draft, so that you decide +1\n +its remedy switches a safeguard off +1/);
  });
});
