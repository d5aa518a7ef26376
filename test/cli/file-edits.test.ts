import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openFileEdits } from '../../src/surfaces/cli/lessons/file-edits.ts';

let root: string;
let file: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-edits-')));
  file = join(root, 'AGENTS.md');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (fields: { dryRun?: boolean; force?: boolean } = {}) =>
  openFileEdits({ root, dryRun: false, force: false, ...fields });
const append = (text: string) => (bytes: Buffer | undefined) =>
  Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.from(text)]);

describe('edits of files', () => {
  it('that somebody changes at the same moment start over from what is there then', () => {
    writeFileSync(file, 'a\n');
    let tries = 0;
    open().edit(file, (bytes) => {
      if (tries++ === 0) writeFileSync(file, 'theirs\n');
      return append('ours\n')(bytes);
    });
    assert.deepEqual([readFileSync(file, 'utf8'), tries], ['theirs\nours\n', 2]);
  });

  it('give up on a file that never rests, and leave it alone', () => {
    let n = 0;
    const change = (bytes: Buffer | undefined) => {
      writeFileSync(file, `theirs ${n++}\n`);
      return append('ours\n')(bytes);
    };
    assert.throws(() => open().edit(file, change), /keeps being changed by another program/);
    assert.equal(readFileSync(file, 'utf8'), `theirs ${n - 1}\n`);
    assert.deepEqual(readdirSync(root), ['AGENTS.md']);
  });

  it('keep the mode, and follow a link that stays', () => {
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs/rules.md'), 'a\n', { mode: 0o600 });
    chmodSync(join(root, 'docs/rules.md'), 0o640);
    symlinkSync('docs/rules.md', file);
    open().edit(file, append('b\n'));
    assert.ok(lstatSync(file).isSymbolicLink());
    assert.equal(readFileSync(join(root, 'docs/rules.md'), 'utf8'), 'a\nb\n');
    assert.equal(statSync(file).mode & 0o777, 0o640);
  });

  describe('of a file with other names (hard links)', () => {
    let other: string;
    beforeEach(() => {
      other = join(root, 'CLAUDE.md');
      writeFileSync(file, 'a long line\n');
      chmodSync(file, 0o640);
      linkSync(file, other);
    });
    const inodes = () => [statSync(file).ino, statSync(other).ino];

    it('reach all of them, keep the mode, and leave nothing behind', () => {
      const before = inodes();
      const edits = open();
      edits.edit(file, append('b\n'));
      edits.edit(other, () => Buffer.from('short\n'));
      assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(other, 'utf8')], ['short\n', 'short\n']);
      assert.deepEqual([inodes(), statSync(file).mode & 0o777], [before, 0o640]);
      assert.deepEqual(readdirSync(root), ['AGENTS.md', 'CLAUDE.md']);
      assert.deepEqual(
        edits.list().map(({ otherNames }) => otherNames),
        [1, 1],
      );
    });

    it('are undone under all of them', () => {
      const before = inodes();
      const edits = open();
      edits.edit(file, append('b\n'));
      edits.undo();
      assert.deepEqual([readFileSync(other, 'utf8'), inodes()], ['a long line\n', before]);
    });

    it('start over when somebody changes it at the same moment, under whichever name', () => {
      let tries = 0;
      open().edit(file, (bytes) => {
        if (tries++ === 0) writeFileSync(other, 'theirs\n');
        return append('ours\n')(bytes);
      });
      assert.deepEqual([readFileSync(other, 'utf8'), tries], ['theirs\nours\n', 2]);
      assert.deepEqual(readdirSync(root), ['AGENTS.md', 'CLAUDE.md']);
    });

    it('whose process died in the middle say where the bytes of before are, and touch nothing', () => {
      const copy = join(root, '.AGENTS.md.0b2f.before');
      writeFileSync(copy, 'before\n');
      assert.throws(() => open().edit(file, append('b\n')), /before is in .*0b2f\.before/);
      assert.equal(readFileSync(file, 'utf8'), 'a long line\n');
      // It died before the first byte: there is nothing to decide.
      writeFileSync(copy, 'a long line\n');
      open().edit(file, append('b\n'));
      assert.deepEqual(readdirSync(root), ['AGENTS.md', 'CLAUDE.md']);
    });

    it('give the old bytes back when there is no room for the new ones', () => {
      chmodSync(root, 0o777);
      chmodSync(file, 0o666);
      const script = join(import.meta.dirname, 'edit-once.ts');
      // The largest file that it may write is of 512 bytes: the copy of the old ones goes through, the new ones do not.
      const limited = `ulimit -f 1; trap "" XFSZ; exec "$0" "$@"`;
      const said = execFileSync('/bin/sh', ['-c', limited, process.execPath, script, root, file, 'x'.repeat(2000)], {
        encoding: 'utf8',
      });
      assert.match(said, /cannot be written \(EFBIG.*Nothing was changed/);
      assert.equal(readFileSync(other, 'utf8'), 'a long line\n');
      assert.deepEqual(readdirSync(root), ['AGENTS.md', 'CLAUDE.md']);
    });
  });

  it('do not follow a link out of the project, unless forced', () => {
    const outside = mkdtempSync(join(tmpdir(), 'oncebitten-outside-'));
    writeFileSync(join(outside, 'rules.md'), 'a\n');
    symlinkSync(join(outside, 'rules.md'), file);
    assert.throws(() => open().edit(file, append('b\n')), /leads out of the project/);
    assert.equal(readFileSync(file, 'utf8'), 'a\n');
    open({ force: true }).edit(file, append('b\n'));
    assert.equal(readFileSync(join(outside, 'rules.md'), 'utf8'), 'a\nb\n');
    rmSync(outside, { recursive: true });
  });

  it('make the folders of a missing file, and undo takes all of it back', () => {
    const skill = join(root, '.claude/skills/x/SKILL.md');
    writeFileSync(file, 'a\n');
    const edits = open();
    assert.deepEqual(edits.edit(skill, append('s')).madeFolders?.length, 3);
    edits.edit(file, append('b\n'));
    edits.edit(file, append('c\n'));
    assert.equal(edits.list().length, 2);
    edits.undo();
    assert.equal(readFileSync(file, 'utf8'), 'a\n');
    assert.equal(existsSync(join(root, '.claude')), false);
  });

  it('are not undone over what somebody wrote since', () => {
    writeFileSync(file, 'a\n');
    const edits = open();
    edits.edit(file, append('b\n'));
    writeFileSync(file, 'theirs\n');
    edits.undo();
    assert.equal(readFileSync(file, 'utf8'), 'theirs\n');
  });

  it('of a dry run see each other and write nothing', () => {
    const edits = open({ dryRun: true });
    edits.edit(file, append('a\n'));
    edits.edit(file, append('b\n'));
    assert.equal(`${edits.list()[0]?.after}`, 'a\nb\n');
    assert.deepEqual(readdirSync(root), []);
  });

  it('of a file or a folder that may not be written say so and change nothing', () => {
    const once = (path: string): string =>
      execFileSync(process.execPath, [join(import.meta.dirname, 'edit-once.ts'), root, path], { encoding: 'utf8' });
    chmodSync(root, 0o777);
    writeFileSync(file, 'a\n');
    chmodSync(file, 0o444);
    assert.match(once(file), /cannot be written \(EACCES.*\| .*Nothing was changed/);
    chmodSync(root, 0o555);
    assert.match(once(join(root, 'CLAUDE.md')), /cannot be written \(EACCES/);
    assert.match(once(join(root, '.claude/skills/x/SKILL.md')), /cannot be written \(EACCES/);
    assert.deepEqual([readFileSync(file, 'utf8'), readdirSync(root)], ['a\n', ['AGENTS.md']]);
    chmodSync(root, 0o755);
  });

  it('of a path whose folder is a file say so', () => {
    writeFileSync(join(root, '.claude'), 'a file');
    assert.throws(() => open().edit(join(root, '.claude/skills/x/SKILL.md'), append('x')), /ENOTDIR|not a directory/);
    assert.equal(readFileSync(join(root, '.claude'), 'utf8'), 'a file');
  });
});
