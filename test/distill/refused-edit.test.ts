import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { type EditRefusal, findEditRefusal } from '../../src/distill/episodes/find-edit-refusal.ts';
import { knownFix } from '../../src/distill/propose/known-fix.ts';
import { makeWindow, other, type Step } from './session-script.ts';

const FILE = '/repo/src/cart.ts';

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
});

describe('a refused edit', () => {
  const learn = (...steps: readonly Step[]): number => knownFix.detect(makeWindow(steps.map(signed))).length;

  it('teaches to read the file first, where it was unread', () => {
    assert.equal(learn(refused(UNREAD), read, same), 1);
  });

  it('teaches nothing where somebody else changed a file that the session had read', () => {
    assert.equal(learn(refused(CHANGED), read, edited), 0);
    const unknown = 'The file is newer than the text you have';
    assert.equal(learn(read, refused(unknown), read, same), 0);
    assert.equal(learn(refused(unknown), read, same), 1);
  });

  it('teaches nothing where its text does not stand in the file, or more than once', () => {
    assert.equal(learn(refused(NOWHERE), read, edited), 0);
    assert.equal(learn(refused(TWICE), read, edited), 0);
  });

  it('teaches nothing where the file was not read, the edit was not made, or another file was', () => {
    const [wrong, elsewhere] = [refused(UNREAD), '/repo/src/shop.ts'];
    for (const script of [
      [wrong, same],
      [wrong, read],
      [wrong, other('read', elsewhere), same],
      [wrong, read, other('edit', elsewhere)],
      [wrong, { ...read, outcome: 'failure' }, same],
      [wrong, read, { ...same, outcome: 'denied' }],
      [wrong, read, { ...same, outcome: 'cancelled' }],
      [refused(UNREAD, { outcome: 'denied' }), read, same],
    ] as const)
      assert.equal(learn(...script), 0);
  });
});

function signed(step: Step): Step {
  const cause = step.outcome === 'failure' ? toSignature(step.rawTool ?? '', step.output ?? '') : undefined;
  return cause === undefined ? step : { ...step, signature: cause.signature, message: cause.causeLine };
}
