/** What the contract says about failures that an older version signed: the update signs them again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Call } from '../../../src/base/model/call.ts';
import { toCureId } from '../../../src/base/model/cure.ts';
import type { Signature } from '../../../src/base/model/signature.ts';
import { SIGNATURE_VERSION, signCallLine, toLineSignature } from '../../../src/base/text/signature.ts';
import { MIGRATIONS } from '../../../src/keep/migrations/migrations.ts';
import { makeMigrator } from '../../../src/keep/store/engines/migrate-store.ts';
import { openStore } from '../../../src/keep/store/open-store.ts';
import { at, makeChange, makeDelivery, makeFailure, makeFinding, makeLesson } from './make-samples.ts';
import { type OpenTestStore, type TestStore, withStore } from './test-store.ts';

const NOT_FOUND: Signature = {
  id: 'sig2_a',
  version: 2,
  template: '/bin/bash: line <*>: go: command not found',
  program: 'go',
};
const NOT_FOUND_ZSH: Signature = {
  id: 'sig2_b',
  version: 2,
  template: '(eval):<*>: command not found: go',
  program: 'ls',
};
const OLD_TEXT: Signature = { id: 'sig2_c', version: 2, template: 'fatal: bad object <*>', program: 'git' };

const bash = { rawTool: 'Bash', tool: 'shell' } as const;
const now = signCallLine({ ...bash, command: 'go build' }, '/bin/bash: line 1: go: command not found');
const ofTemplate = toLineSignature('git', 'fatal: bad object <*>');

function failure(n: number, signature: Signature, fields: Partial<Call>): Call {
  return makeFailure(signature, { callId: `c${n}`, occurredAt: at(n), ...fields });
}

/** Takes the store back to the version before its signatures were made again, and opens it anew. */
async function update({ engine, place }: TestStore) {
  const names = Object.keys(MIGRATIONS);
  const before = names[names.findIndex((name) => name.endsWith('-signatures-again')) - 1];
  assert.ok(before);
  const { error } = await makeMigrator(engine).migrateTo(before);
  assert.equal(error, undefined);
  return openStore(place);
}

async function fill({ store }: TestStore): Promise<void> {
  await store.saveCalls(
    [
      failure(1, NOT_FOUND, { inputSummary: 'cd x && go build', message: '/bin/bash: line 1: go: command not found' }),
      failure(2, NOT_FOUND_ZSH, {
        inputSummary: 'ls && go vet',
        message: '(eval):1: command not found: go',
        sessionId: 's2',
      }),
      { ...failure(3, OLD_TEXT, {}), message: undefined } as unknown as Call,
    ],
    'observed',
  );
  const cure = { agent: 'claude-code', sessionId: 's1', projectId: 'prj_a', failingCallId: 'c1', fixingCallId: 'c9' };
  await store.saveCures([{ ...cure, signatureId: NOT_FOUND.id, kind: 'edit', text: 'use the full path', at: at(9) }]);
  await store.saveDelivery(makeDelivery({ lessonId: toCureId(NOT_FOUND.id), callId: 'c1' }));
  await store.saveFindings([makeFinding({ failingCallId: 'c1', signatureId: NOT_FOUND.id, lessonId: 'les_1' })]);
  await store.saveLesson(makeLesson({ id: 'les_1', slug: 'a', signatureId: NOT_FOUND.id }), makeChange('learned'));
  await store.saveLesson(makeLesson({ id: 'les_2', slug: 'b', signatureId: OLD_TEXT.id }), makeChange('learned'));
}

export function describeSignAgain(open: OpenTestStore): void {
  describe('failures that an older version signed', () => {
    it(
      'are one failure where they were two, and whatever names them follows',
      withStore(open, async (test) => {
        await fill(test);
        const store = await update(test);
        const rows = await test.query('select id, version, count, sessions from signatures order by count desc');
        assert.deepEqual(
          rows.map((row) => ({ ...(row as object) })),
          [
            { id: now.id, version: SIGNATURE_VERSION, count: 2, sessions: 2 },
            { id: ofTemplate.id, version: SIGNATURE_VERSION, count: 1, sessions: 1 },
          ],
        );
        assert.equal((await store.listCures({ signatureIds: [now.id] }))[0]?.text, 'use the full path');
        const lessons = await store.listLessons();
        assert.equal(lessons.find(({ id }) => id === 'les_1')?.signatureId, now.id);
        assert.equal(lessons.find(({ id }) => id === 'les_2')?.signatureId, ofTemplate.id);
        assert.deepEqual(await test.query('select lesson_id from deliveries'), [{ lesson_id: toCureId(now.id) }]);
        const named = await test.query('select signature_id from findings union all select signature_id from lessons');
        assert.ok(
          named.every((row) => [now.id, ofTemplate.id].includes((row as { signature_id: string }).signature_id)),
        );
        await store.close();
      }),
    );

    it(
      'are left alone by a second run',
      withStore(open, async (test) => {
        await fill(test);
        await (await update(test)).close();
        const read = () =>
          Promise.all(
            ['signatures', 'tool_outcomes', 'cures', 'findings', 'lessons'].map((table) =>
              test.query(`select * from ${table} order by 1, 2, 3`),
            ),
          );
        const before = await read();
        await (await update(test)).close();
        assert.deepEqual(await read(), before);
      }),
    );

    it(
      'are all signed, also if they are more than one step handles',
      withStore(open, async (test) => {
        const many = Array.from({ length: 2_500 }, (_, n) =>
          failure(
            n,
            { ...OLD_TEXT, id: `sig2_${n % 50}`, template: `fatal: object ${n % 50} is bad` },
            { message: `fatal: object ${n} is bad` },
          ),
        );
        await test.store.saveCalls(many, 'observed');
        await (await update(test)).close();
        const [row] = await test.query('select count(*) as rows, sum(count) as calls from signatures');
        assert.deepEqual(
          [Number((row as { rows: unknown }).rows), Number((row as { calls: unknown }).calls)],
          [1, 2_500],
        );
      }),
    );
  });
}
