import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LiveCall } from '../../src/base/model/call.ts';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import type { Detector } from '../../src/distill/detector.ts';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { makeLesson, mergeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { type EditRefusal, findEditRefusal } from '../../src/distill/propose/agent-tools/find-edit-refusal.ts';
import { ambiguousEdit, outdatedEdit, unmatchedEdit } from '../../src/distill/propose/agent-tools/refused-edits.ts';
import { unreadEdit } from '../../src/distill/propose/agent-tools/unread-edit.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makePast, makeWindow, other, type Step, worked } from './session-script.ts';

const FILE = '/repo/src/cart.ts';
const JSON_OF_EDIT = '{"file_path":"/repo/src/cart.ts","old_string":"a","new_string":"b"}';

const UNREAD = 'File has not been read yet. Read it first before writing to it.';
const MUST_READ = `You must read file ${FILE} before overwriting it. Use the Read tool first`;
const CHANGED = 'File has been modified since read, either by the user or by a linter. Read it again.';
const TWICE = 'Found 2 matches of the string to replace, but replace_all is false.\nString: total';
const NOWHERE = 'String to replace not found in file.\nString: total';

/** An edit that the tool refused. */
function refused(output: string, fields: Step = {}): Step {
  const parameters = { file_path: FILE, old_string: 'a', new_string: 'b' };
  const tool = { tool: 'edit', rawTool: 'Edit', targetPath: FILE, inputHash: 'first', parameters } as const;
  return { ...tool, outcome: 'failure', outcomeType: 'error-flag', output, ...fields };
}

const read = other('read', FILE);
const edited: Step = { ...other('edit', FILE), rawTool: 'Edit', inputHash: 'second' };
const same: Step = { ...edited, inputHash: 'first' };

describe('what a tool says when it refuses an edit', () => {
  const words: Readonly<Record<EditRefusal, readonly string[]>> = {
    unread: [
      UNREAD,
      MUST_READ,
      `Error: ${MUST_READ}`,
      'you must read the file before editing it. Use the View tool first',
    ],
    outdated: [CHANGED, `File ${FILE} has been modified since it was last read.`],
    ambiguous: [
      TWICE,
      'Found multiple matches for oldString. Provide more surrounding context.',
      `Failed to edit, Expected 1 occurrence but found 3 for old_string in file: ${FILE}`,
      `Found 3 occurrences of the text in ${FILE}. The text must be unique.`,
    ],
    unmatched: [
      NOWHERE,
      'Could not find oldString in the file. It must match exactly.',
      'oldString not found in content',
      `Failed to edit, 0 occurrences found for old_string in ${FILE}.`,
      `apply_patch verification failed: Failed to find expected lines in ${FILE}:\n  total`,
    ],
  };

  for (const [refusal, all] of Object.entries(words)) {
    it(`is known in the words of several agents: ${refusal}`, () => {
      for (const text of all) assert.equal(findEditRefusal(refused(text) as LiveCall)?.refusal, refusal, text);
    });
  }

  it('is not looked for in the text of the file, in other calls, or in what was denied or cancelled', () => {
    const text = 'InputValidationError: Edit failed\nString to replace not found in file.';
    assert.equal(findEditRefusal(refused(text) as LiveCall), undefined);
    assert.equal(findEditRefusal(refused('Failed to edit, Expected 2 occurrences but found 0') as LiveCall), undefined);
    for (const fields of [
      { tool: 'shell' },
      { tool: 'read' },
      { outcome: 'denied' },
      { outcome: 'cancelled' },
    ] as const)
      assert.equal(findEditRefusal(refused(UNREAD, fields) as LiveCall), undefined, JSON.stringify(fields));
    assert.equal(findEditRefusal({ ...edited, output: UNREAD } as LiveCall), undefined, 'it worked');
  });

  it('is one thing at most, whatever the text', () => {
    const piece = fc.constantFrom(...Object.values(words).flat(), 'Error: ', '\n', ' ', 'x');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const call = refused(pieces.join('')) as LiveCall;
        const seen = [unreadEdit, outdatedEdit, ambiguousEdit, unmatchedEdit].flatMap((detector) =>
          detector.detect(makeWindow([call, read, edited])),
        );
        assert.ok(seen.length <= 1);
      }),
    );
  });
});

describe('unread-edit', () => {
  it('sees a file that was edited before it was read', () => {
    const [finding, ...more] = detectWith(unreadEdit, refused(UNREAD), read, same);
    assert.deepEqual(more, []);
    assert.ok(finding);
    assert.deepEqual([finding.kind, finding.fixingCallId], ['wrong-tool-use', 'call-1'], 'reading it was the fix');
    assert.equal(finding.summary, '`Edit` wants the file to be read first, in the same session');
    assert.ok(finding.signals.includes('fix-confirmed'));
  });

  it('is found when the edit that proves it comes, not before', () => {
    const script = [refused(UNREAD), read, same];
    assert.equal(unreadEdit.detect(makeWindow(script.slice(0, 2), 1)).length, 0);
    assert.equal(unreadEdit.detect(makeWindow(script, 2)).length, 1);
    assert.equal(unreadEdit.detect(makeWindow([...script, worked('ls')], 3)).length, 0, 'it was told already');
  });

  it('speaks before the first edit of any file, and is silent once that file was read or written', () => {
    const [finding] = detectWith(unreadEdit, refused(UNREAD), read, same);
    assert.ok(finding);
    const asked = { tool: 'edit', path: '/repo/src/shop.ts', json: JSON_OF_EDIT } as const;
    assert.ok(speaks(finding, asked));
    assert.ok(speaks(finding, { ...asked, known: ['/repo/src/cart.ts'] }));
    assert.ok(!speaks(finding, { ...asked, known: ['/repo/src/shop.ts'] }));
    assert.ok(!speaks(finding, { ...asked, path: 'src/shop.ts', cwd: '/repo', known: ['/repo/src/shop.ts'] }));
    assert.ok(!speaks(finding, { ...asked, tool: 'write' }), 'a new file is written without reading it');
    assert.ok(!speaks(finding, { ...asked, tool: 'read' }));
    assert.ok(!speaks(finding, { ...asked, json: '{"patch":"*** Update File: src/shop.ts"}' }), 'a patch needs none');
  });

  it('says nothing where the file was not read, the edit was not made, or another file was', () => {
    const wrong = refused(UNREAD);
    const elsewhere = '/repo/src/shop.ts';
    for (const script of [
      [wrong, same],
      [wrong, read],
      [wrong, other('read', elsewhere), same],
      [wrong, read, other('edit', elsewhere)],
      [wrong, { ...read, outcome: 'failure' }, same],
      [wrong, read, { ...same, outcome: 'denied' }],
      [wrong, read, { ...same, outcome: 'cancelled' }],
      [wrong, ...Array.from({ length: 8 }, () => worked('ls')), read, same],
    ] as const)
      assert.deepEqual(detectWith(unreadEdit, ...script), []);
  });

  it('says nothing of calls that were denied or cancelled, and of red-green cycles', () => {
    assert.deepEqual(detectWith(unreadEdit, refused(UNREAD, { outcome: 'denied' }), read, same), []);
    assert.deepEqual(detectWith(unreadEdit, refused(UNREAD, { outcome: 'cancelled' }), read, same), []);
    const red = failed('go test ./cart', '--- FAIL: TestTotal (0.00s)');
    assert.deepEqual(detectWith(unreadEdit, red, read, edited, worked('go test ./cart')), []);
  });

  it('is a draft, however often it is seen; where no hook would be asked it says so', () => {
    const past = [
      makePast({ callId: 'call-0', tool: 'edit', rawTool: 'Edit', targetPath: FILE, outcome: 'failure' }),
      makePast({ callId: 'call-1', tool: 'read', rawTool: 'Read', targetPath: FILE }),
    ];
    for (const [words, isUnheard] of [
      [UNREAD, true],
      [MUST_READ, false],
    ] as const) {
      const [finding] = detectFindings(makeWindow([refused(words), read, same]), [unreadEdit]);
      assert.ok(finding);
      const gate = gateFinding(finding, past, () => true);
      assert.equal(gate.verdict, 'draft');
      assert.equal(/before any hook runs/.test(gate.reason), isUnheard, gate.reason);
      const lesson = makeLesson(finding, gate, finding.evidence.at);
      const again = { ...finding, sessionId: 'session-2', evidence: { ...finding.evidence, sessionId: 'session-2' } };
      assert.equal(mergeLesson(lesson, again, finding.evidence.at, gate).status, 'draft');
    }
  });

  it('is an episode only, where a file was overwritten', () => {
    const write = { tool: 'write', rawTool: 'Write', parameters: { file_path: FILE, content: '…' } } as const;
    const [finding] = detectWith(unreadEdit, refused(UNREAD, write), read, { ...same, tool: 'write' });
    assert.ok(finding);
    assert.match(gateFinding(finding, [], () => true).reason, /does not show whether the file exists/);
  });
});

const EPISODES: readonly (readonly [string, Detector, string])[] = [
  ['outdated-edit', outdatedEdit, CHANGED],
  ['ambiguous-edit', ambiguousEdit, TWICE],
  ['unmatched-edit', unmatchedEdit, NOWHERE],
];

for (const [name, detector, words] of EPISODES) {
  describe(name, () => {
    it('sees a refused edit that went through in another form, as an episode', () => {
      const [finding, ...more] = detectWith(detector, refused(words), read, edited);
      assert.deepEqual(more, []);
      assert.ok(finding);
      assert.deepEqual([finding.detector, finding.fixingCallId], [`distill/${name}@1`, 'call-2']);
      assert.equal(gateFinding(finding, [], () => true).verdict, 'dropped');
    });

    it('says nothing without an edit of that file that worked', () => {
      const wrong = refused(words);
      assert.deepEqual(detectWith(detector, wrong, read), []);
      assert.deepEqual(detectWith(detector, wrong, read, other('edit', '/repo/src/shop.ts')), []);
      assert.deepEqual(detectWith(detector, wrong, read, { ...edited, outcome: 'denied' }), []);
      assert.deepEqual(detectWith(detector, wrong, read, { ...edited, outcome: 'cancelled' }), []);
      assert.deepEqual(detectWith(detector, wrong, ...Array.from({ length: 8 }, () => worked('ls')), edited), []);
    });

    it('says nothing of other refusals, of denied and cancelled edits, and of red-green cycles', () => {
      for (const other of [UNREAD, CHANGED, TWICE, NOWHERE].filter((one) => one !== words))
        assert.deepEqual(detectWith(detector, refused(other), read, edited), []);
      assert.deepEqual(detectWith(detector, refused(words, { outcome: 'denied' }), read, edited), []);
      assert.deepEqual(detectWith(detector, refused(words, { outcome: 'cancelled' }), read, edited), []);
      const red = failed('go test ./cart', '--- FAIL: TestTotal (0.00s)');
      assert.deepEqual(detectWith(detector, red, edited, worked('go test ./cart')), []);
    });
  });
}

describe('what helped a refused edit', () => {
  it('is reading the file again, where it had changed', () => {
    assert.deepEqual(detectWith(outdatedEdit, refused(CHANGED), edited), []);
    assert.equal(detectWith(outdatedEdit, refused(CHANGED), read, same).length, 1);
  });

  it('is another text, where it did not match: the same one works only after other work', () => {
    for (const [detector, words] of [
      [ambiguousEdit, TWICE],
      [unmatchedEdit, NOWHERE],
    ] as const) {
      assert.equal(detectWith(detector, refused(words), edited).length, 1);
      assert.deepEqual(detectWith(detector, refused(words), same), []);
    }
  });

  it('is a patch that names the file from the root, too', () => {
    const patch = refused('apply_patch verification failed: Failed to find expected lines in src/cart.ts', {
      rawTool: 'apply_patch',
      targetPath: 'src/cart.ts',
    });
    assert.equal(detectWith(unmatchedEdit, patch, worked('sed -n 1,40p src/cart.ts'), edited).length, 1);
  });
});
