import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hashText } from '../../src/base/ids.ts';
import type { Promotion } from '../../src/base/model/promotion.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { BEGIN, END, TITLE } from '../../src/promote/managed-block.ts';
import { applyPromotion, rollbackPromotion } from '../../src/promote/promotions.ts';
import { isRefused } from '../../src/promote/transition.ts';
import { toRuns } from '../to-runs.ts';

const TEXT = '- never `--stat` ☃\n  Instead: `--name-only`';

type Known = Pick<Promotion, 'state' | 'hash' | 'text'>;
const PENDING: Known = { state: 'approved', text: TEXT };

interface More {
  readonly slug?: string;
  readonly text?: string;
  readonly promotion?: Known;
  readonly force?: boolean;
  readonly head?: string;
  readonly limits?: Partial<typeof DEFAULT_SETTINGS.promotion>;
}

function apply(bytes: Buffer | undefined, more: More = {}) {
  const { slug = 'one-1a2b', text = TEXT, promotion = PENDING, force = false, head = '' } = more;
  const limits = { ...DEFAULT_SETTINGS.promotion, ...more.limits };
  return applyPromotion(bytes, { slug, text, promotion, force, head, limits });
}

function getApplied(bytes: Buffer | undefined, more: More = {}): { readonly bytes: Buffer; readonly known: Known } {
  const done = apply(bytes, more);
  assert.ok(!isRefused(done), JSON.stringify(done));
  const { text = TEXT } = more;
  return { bytes: done.bytes, known: { state: 'applied', text, hash: hashText(text) } };
}

function rollBack(
  bytes: Buffer | undefined,
  known: Known,
  more: { slug?: string; force?: boolean; madeWith?: string } = {},
) {
  const { slug = 'one-1a2b', force = false, madeWith } = more;
  return rollbackPromotion(bytes, { promotion: known, slug, force, ...(madeWith === undefined ? {} : { madeWith }) });
}

function getRolledBack(...given: Parameters<typeof rollBack>): Buffer | undefined {
  const done = rollBack(...given);
  assert.ok(!isRefused(done) && !done.gone, JSON.stringify(done));
  return done.bytes;
}

const getRefusal = (done: object): string => {
  assert.ok('refused' in done && 'next' in done, JSON.stringify(done));
  return `${done.refused}`;
};

/** Anything that a file may contain: words, newlines of every kind, bytes that are not UTF-8, our own blocks. */
const fileArbitrary = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\r\n',
        '\r',
        '\n\n',
        '# Rules',
        '=======',
        'naïve ☃',
        '  <!-- a comment -->',
        '```',
        ' ',
        '\t',
      ),
      fc.constantFrom('\ufeff', '- item', 'see <!-- oncebitten:begin', '@AGENTS.md', '\u2028', '\0'),
      fc.string(),
      fc.uint8Array({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string))));

describe('a block in a file', () => {
  it('is added and removed and leaves every byte of any file as it was', () => {
    const isOurs = (bytes: Buffer): boolean => isRefused(apply(bytes));
    fc.assert(
      fc.property(fileArbitrary, fc.boolean(), (file, hasOther) => {
        if (isOurs(file)) return;
        const start = hasOther ? getApplied(file, { slug: 'other-9z9z', text: '- other' }).bytes : file;
        const { bytes, known } = getApplied(start);
        assert.ok(bytes.includes(Buffer.from('☃')));
        assert.deepEqual(getRolledBack(bytes, known), start);
        if (!hasOther) assert.equal(bytes.indexOf(file), 0, 'what was there stands before it');
      }),
      { numRuns: toRuns(2_000) },
    );
  });

  it('loses its lessons in any order', () => {
    const slugs = ['a-0000', 'b-0000', 'c-0000'];
    fc.assert(
      fc.property(fileArbitrary, fc.shuffledSubarray(slugs, { minLength: 3 }), (file, order) => {
        if (isRefused(apply(file))) return;
        let bytes: Buffer | undefined = file;
        const known = new Map<string, Known>();
        for (const slug of slugs) {
          const done = getApplied(bytes, { slug, text: `- ${slug}` });
          bytes = done.bytes;
          known.set(slug, done.known);
        }
        for (const slug of order) bytes = getRolledBack(bytes, known.get(slug) ?? PENDING, { slug });
        assert.deepEqual(bytes, file);
      }),
    );
  });

  it('is at the end, after an empty line, with the newlines of the file', () => {
    const lines = (eol: string): string =>
      [BEGIN, TITLE, `<!-- oncebitten:lesson one-1a2b ${hashText(TEXT)} -->`, ...TEXT.split('\n'), END].join(eol);
    assert.equal(`${getApplied(Buffer.from('# Rules\n')).bytes}`, `# Rules\n\n${lines('\n')}\n`);
    assert.equal(`${getApplied(Buffer.from('# Rules\r\nx\r\n')).bytes}`, `# Rules\r\nx\r\n\r\n${lines('\r\n')}\r\n`);
    assert.equal(`${getApplied(Buffer.from('# Rules')).bytes}`, `# Rules\n\n${lines('\n')}`);
    assert.equal(`${getApplied(Buffer.from('')).bytes}`, `${lines('\n')}\n`);
    assert.equal(`${getApplied(undefined).bytes}`, `${lines('\n')}\n`);
  });

  it('keeps text that a person wrote around it since', () => {
    const { bytes, known } = getApplied(Buffer.from('a\n'));
    const edited = Buffer.concat([Buffer.from('new\n'), bytes, Buffer.from('behind')]);
    assert.equal(`${getRolledBack(edited, known)}`, 'new\na\nbehind');
  });

  it('is the same after git has changed its newlines', () => {
    const { bytes, known } = getApplied(Buffer.from('a\n'));
    const windows = Buffer.from(`${bytes}`.replaceAll('\n', '\r\n'));
    assert.equal(`${getRolledBack(windows, known)}`, 'a\r\n');
    assert.match(
      `${getApplied(windows, { slug: 'two-2b3c', text: '- two' }).bytes}`,
      /\r\n- two\r\n<!-- oncebitten:end/,
    );
  });

  it('is replaced if the lesson is already in it, and is removed whoever wrote it first', () => {
    const first = getApplied(Buffer.from('a\r\n'), { text: '- old\n  words' });
    const second = getApplied(first.bytes, { text: '- new' });
    assert.match(`${second.bytes}`, /- new/);
    assert.doesNotMatch(`${second.bytes}`, /- old/);
    assert.equal(`${getRolledBack(second.bytes, second.known)}`, 'a\r\n');
    const noted = { ...second.known, before: `${first.bytes}` };
    assert.equal(`${getRolledBack(second.bytes, noted)}`, 'a\r\n', 'also with what an earlier version noted');
  });

  it('follows a fence that is only code itself, and ends with the code around it', () => {
    for (const code of [
      'Write a fence like this:\n\n    ```sh\n    ls\n\nand end it.\n',
      'Write a fence like this:\n\n\t~~~\n\tls\n',
      '- in a list:\n\n      ```sh\n      ls\n\nand end it.\n',
      'text that goes on\n    ``` here\nand here\n',
    ]) {
      const { bytes, known } = getApplied(Buffer.from(code));
      assert.ok(`${bytes}`.startsWith(code), code);
      assert.equal(`${getRolledBack(bytes, known)}`, code);
    }
  });

  it('is not an example in such code', () => {
    const example = `    \`\`\`\n    ${BEGIN}\n\n    ${END}\n\nThat was it.\n`;
    const { bytes, known } = getApplied(Buffer.from(example));
    assert.ok(`${bytes}`.startsWith(example));
    assert.equal(`${getRolledBack(bytes, known)}`, example);
  });

  it('in a code fence is an example, and ours is the one outside', () => {
    const example = '```md\n<!-- oncebitten:begin x -->\n<!-- oncebitten:end -->\n```\n';
    for (const fenced of [example, example.replaceAll('```', '~~~~'), `- so:\n\n${example.replace(/^/gm, '    ')}`]) {
      const { bytes, known } = getApplied(Buffer.from(`# How\n${fenced}`));
      assert.equal(bytes.indexOf(fenced), 6);
      assert.equal(`${getRolledBack(bytes, known)}`, `# How\n${fenced}`);
      assert.deepEqual(rollBack(Buffer.from(fenced), known), { gone: true });
    }
  });

  it('that somebody changed is left alone, with the difference, unless forced; other sections do not matter', () => {
    const { bytes, known } = getApplied(Buffer.from('a\n'));
    const edited = Buffer.from(`${bytes}`.replace('never', 'NEVER'));
    assert.match(getRefusal(rollBack(edited, known)), /somebody changed.*\n {4}- - never.*\n.*\n {4}\+ - NEVER/);
    assert.match(getRefusal(apply(edited, { promotion: known, text: '- new' })), /somebody changed/);
    assert.match(getRefusal(apply(edited)), /somebody changed/, 'also when it is not ours: its marker has a hash');
    const two = getApplied(edited, { slug: 'two-2b3c', text: '- two' });
    assert.match(`${two.bytes}`, /NEVER/);
    assert.deepEqual(getRolledBack(two.bytes, two.known, { slug: 'two-2b3c' }), edited);
    assert.equal(`${getRolledBack(edited, known, { force: true })}`, 'a\n');
    assert.match(`${getApplied(edited, { promotion: known, text: '- new', force: true }).bytes}`, /- new/);
  });

  it('with a head that somebody changed loses its last lesson and stays', () => {
    const { bytes, known } = getApplied(Buffer.from('a\n'));
    const edited = Buffer.from(`${bytes}`.replace(TITLE, '## Ours\nRead this.'));
    assert.match(
      `${getRolledBack(edited, known)}`,
      /oncebitten:begin.*\n## Ours\nRead this\.\n<!-- oncebitten:end -->\n$/,
    );
  });

  it('that an earlier version began with other words is changed and removed all the same', () => {
    const old = '<!-- oncebitten:begin Lessons that `oncebitten lessons promote` wrote here; change them with it. -->';
    const { bytes, known } = getApplied(Buffer.from('a\n'));
    const earlier = Buffer.from(`${bytes}`.replace(BEGIN, old));
    assert.notDeepEqual(earlier, bytes);
    const two = getApplied(earlier, { slug: 'two-2b3c', text: '- two' });
    assert.equal(`${two.bytes}`.split('oncebitten:begin').length, 2, 'one block');
    assert.deepEqual(getRolledBack(two.bytes, two.known, { slug: 'two-2b3c' }), earlier);
    assert.equal(`${getRolledBack(earlier, known)}`, 'a\n');
  });

  it('that is gone, or whose file is gone, counts as removed', () => {
    const { known } = getApplied(Buffer.from('a\n'));
    assert.deepEqual(rollBack(Buffer.from('a\n'), known), { gone: true });
    assert.deepEqual(rollBack(undefined, known), { gone: true });
  });

  it('deletes a file that was created for it and contains nothing else', () => {
    const { bytes, known } = getApplied(undefined, { head: '---\nname: x\n---\n' });
    assert.equal(getRolledBack(bytes, known, { madeWith: '---\nname: x\n---\n' }), undefined);
    assert.equal(`${getRolledBack(bytes, known)}`, '---\nname: x\n---\n');
    const more = Buffer.concat([bytes, Buffer.from('mine\n')]);
    assert.equal(`${getRolledBack(more, known, { madeWith: '---\nname: x\n---\n' })}`, '---\nname: x\n---\nmine\n');
  });
});

describe('a file is refused', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['with merge conflicts', 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> main\n', /merge conflicts/],
    ['with merge conflicts and Windows newlines', 'a\r\n>>>>>>> main\r\n', /merge conflicts/],
    ['with two blocks', `${BEGIN}\n${END}\n${BEGIN}\n${END}\n`, /more than once/],
    ['with a block that does not end', `${BEGIN}\n`, /no end/],
    ['with an end alone', `${END}\n`, /no beginning/],
    ['with an end before the beginning', `${END}\n${BEGIN}\n`, /outside/],
    ['with a marker cut in two', `<!-- oncebitten:begin\n-->\n${END}\n`, /does not end on its line/],
    ['with a lesson outside of the block', `<!-- oncebitten:lesson a b -->\n${BEGIN}\n${END}\n`, /outside/],
    ['with a lesson twice', `${BEGIN}\n${'<!-- oncebitten:lesson a b -->\n'.repeat(2)}${END}\n`, /twice/],
    ['with a lesson without a name', `${BEGIN}\n<!-- oncebitten:lesson -->\n${END}\n`, /no name/],
    ['of UTF-16', '\xff\xfea\0', /UTF-16/],
    ['of UTF-16 without a byte order mark', '#\0 \0R\0u\0l\0e\0s\0\n\0', /UTF-16/],
    ['of UTF-16 with the other order', '\0#\0 \0R\0u\0l\0e\0s', /UTF-16/],
    ['with our block behind a fence that does not end', `\`\`\`sh\nls\n${BEGIN}\n${END}\n`, /fence that does not end/],
  ];
  for (const [what, file, reason] of cases) {
    it(what, () => {
      assert.match(getRefusal(apply(Buffer.from(file, 'latin1'), { force: true })), reason);
      assert.match(getRefusal(rollBack(Buffer.from(file, 'latin1'), PENDING, { force: true })), reason);
    });
  }

  it('if it ends inside a code fence or a comment, where a block would go', () => {
    for (const end of ['```\nls\n', '~~~ sh\nls', '````\n```\n', '- a\n    ```\n', '1. a\n\n   - b\n\n       ```\n'])
      assert.match(getRefusal(apply(Buffer.from(`a\n${end}`), { force: true })), /ends inside a code fence/);
    for (const end of ['<!-- todo\n', '  <!--\n```\n'])
      assert.match(getRefusal(apply(Buffer.from(`a\n${end}`), { force: true })), /ends inside a comment/);
    const { bytes, known } = getApplied(Buffer.from('a\n'));
    assert.equal(`${getRolledBack(Buffer.from(`${bytes}\`\`\`\n`), known)}`, 'a\n```\n', 'behind the block it may be');
    for (const whole of ['```\nls\n```\n', '<!-- a\nb -->\n', 'x <!-- y\n', '```a``` b\n', '~~~\n```\n~~~\n'])
      getApplied(Buffer.from(whole));
  });

  it('but not for a heading that is underlined like a conflict', () => {
    getApplied(Buffer.from('Title\n=======\n'));
  });

  it('if it has enough lessons, or bytes of them, with the next step', () => {
    const { bytes } = getApplied(Buffer.from('a\n'));
    const two = { slug: 'two-2b3c', text: '- two' };
    assert.match(getRefusal(apply(bytes, { ...two, limits: { maxPerFile: 1 } })), /has 1 promoted lessons already/);
    assert.match(getRefusal(apply(bytes, { ...two, limits: { maxBytesPerFile: 300 } })), /bytes of promoted lessons/);
    getApplied(bytes, { text: TEXT, limits: { maxPerFile: 1 } });
  });
});
