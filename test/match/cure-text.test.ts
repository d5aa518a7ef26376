import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cure } from '../../src/base/model/cure.ts';
import type { CommandEdit } from '../../src/base/shell/command-edit.ts';
import { chooseCure } from '../../src/match/cure-book.ts';
import { renderCure, renderMemory } from '../../src/match/cure-text.ts';

const NOW = '2026-11-16T12:00:00.000Z';
const OUTPUT = 'error: unknown flag: --fast';

const QUICK: CommandEdit = { program: 'shipit', steps: [{ from: ['--fast'], to: ['--quick'] }] };
const EDIT: Partial<Cure> = { kind: 'edit', text: 'replace `--fast` with `--quick`', edit: QUICK };

function make(sessionId: string, more: Partial<Cure>): Cure {
  const calls = { agent: 'claude-code', projectId: 'prj_1', failingCallId: 'c1', fixingCallId: 'c2' };
  return { ...calls, sessionId, signatureId: 'sig', kind: 'edit', text: '', at: '2026-11-03T12:00:00.000Z', ...more };
}

function render(cures: readonly Cure[], failing: Partial<Parameters<typeof renderCure>[1]> = {}): string | undefined {
  const known = chooseCure(cures);
  assert.ok(known);
  return renderCure(known, { output: OUTPUT, rawTool: 'Bash', ...failing }, NOW);
}

describe('the warning before a call that failed', () => {
  const failure = {
    ...{ agent: 'claude-code', projectId: 'prj_1', callId: 'c1', exactKey: 'k', needs: [], signatureId: 'sig' },
    ...{ at: '2026-11-03T12:00:00.000Z', cause: 'shipit: no "north"', lessons: [] },
  };
  const failures = [
    { ...failure, sessionId: 's1' },
    { ...failure, sessionId: 's2' },
  ];
  const warn = (more: Partial<Parameters<typeof renderMemory>[0]>) =>
    renderMemory({ what: 'command', isSame: false, failures, now: NOW, maxBytes: 4096, ...more }) ?? '';

  it('tells which calls failed, how often, when, and with which error', () => {
    for (const text of [warn({ isSame: true }), warn({}), warn({ program: 'shipit' })])
      assert.match(text, /failed 2 times in 2 earlier sessions.*last on 3 Nov\).*since.*"shipit: no 'north'"$/);
    assert.match(warn({ isSame: true }), /\bexact\b/);
    assert.match(warn({}), /another folder/);
    assert.match(warn({ program: 'shipit' }), /call `shipit`/);
    assert.doesNotMatch(warn({ program: 'a`b' }), /a`b/);
  });
});

describe('the note of a known cure', () => {
  it('tells the edit, how often and when it worked, and shows it in the call at hand', () => {
    const text = render([make('s1', EDIT), make('s2', EDIT), make('s3', EDIT)], { command: 'shipit up --fast web-7' });
    assert.match(text ?? '', /replace `--fast` with `--quick`/);
    assert.match(text ?? '', /3 sessions, last on 3 Nov\b/);
    assert.match(text ?? '', /^ {2}shipit up --quick web-7$/m);
  });

  it('advises, and neither orders nor permits', () => {
    for (const command of ['shipit up --fast x', undefined])
      assert.doesNotMatch(
        render([make('s1', EDIT)], command === undefined ? {} : { command }) ?? '',
        /\b(?:must|never|always|important|system|allow\w*|approv\w*|permi\w*|den(?:y|ied))\b|[<>]/i,
      );
    assert.match(render([make('s1', EDIT)], { output: '' }) ?? '', /^An earlier failure was solved/);
  });

  it('names the year of another year, and today', () => {
    assert.match(render([make('s1', { ...EDIT, at: '2025-11-03T12:00:00.000Z' })]) ?? '', /1 session, on 3 Nov 2025/);
    assert.match(render([make('s1', { ...EDIT, at: NOW })]) ?? '', /1 session, today/);
    assert.match(render([make('s1', { ...EDIT, at: 'yesterday' })]) ?? '', /1 session\./);
  });

  it('tells every kind of cure', () => {
    const texts = { 'read-first': 'read the file first', folder: 'run it in `app`', first: 'run `shipit login` first' };
    for (const [kind, text] of Object.entries(texts))
      assert.ok(render([make('s1', { kind: kind as Cure['kind'], text })])?.includes(text), kind);
  });

  it('is silent if the error itself advises the remedy', () => {
    for (const advice of ['Did you mean --quick?', 'use --quick instead', 'The most similar flag is\n\t--quick'])
      assert.equal(render([make('s1', EDIT)], { output: `${OUTPUT}\n${advice}` }), undefined, advice);
    assert.ok(render([make('s1', EDIT)], { output: `${OUTPUT}\nUsage: shipit [--quick] [--slow]` }), 'usage');
    const first = make('s1', { kind: 'first', text: 'run `shipit login` first' });
    assert.equal(render([first], { output: 'no account: run `shipit login`' }), undefined);
    const save = make('s1', { kind: 'first', text: 'run `shipit stash push -m <text>` first' });
    const output = 'error: there are changes\nerror: please commit or stash them';
    assert.equal(render([save], { command: 'shipit rebase', output }), undefined);
    assert.ok(render([save], { command: 'shipit rebase', output: 'error: there are changes' }));
  });

  it('tells which word to leave out, because an error that rejects a word does not say whether another takes its place', () => {
    const less = make('s1', {
      text: 'leave out `--fast`',
      edit: { program: 'shipit', steps: [{ from: ['--fast'], to: [] }] },
    });
    assert.match(render([less], { command: 'shipit up --fast', output: 'unknown flag: --fast' }) ?? '', /leave out/);
  });

  it('tells two cures that worked as often in one line, and applies neither', () => {
    const other = make('s2', { text: 'add `--slow`' });
    const text = render([make('s1', EDIT), other], { command: 'shipit up --fast web-7' });
    assert.match(text?.split('\n')[0] ?? '', /add `--slow`/);
    assert.match(text ?? '', /replace `--fast` with `--quick`/);
    assert.doesNotMatch(text ?? '', /shipit up/);
  });

  it('shows the call in the folder that it needs, unless it goes there already', () => {
    const edit = (folder: string): CommandEdit => ({ program: 'shipit', steps: [{ first: ['cd', folder] }] });
    const applied = (folder: string, command: string): string | undefined => {
      const cure = make('s1', { kind: 'folder', text: 'run it elsewhere', edit: edit(folder) });
      return render([cure], { command, root: '/repo' })?.split('\n').at(-1);
    };
    assert.equal(applied('web', 'shipit up'), '  cd /repo/web && shipit up');
    assert.equal(applied('.', 'shipit up'), '  cd /repo && shipit up');
    assert.equal(applied('/srv', 'shipit up'), '  cd /srv && shipit up');
    assert.equal(applied('web', 'cd web && shipit up'), undefined);
  });

  it('tells no word of another call, and nothing of another program', () => {
    const quotes = { program: 'shipit', steps: [{ quote: '*' }] };
    const quoted = make('s1', { text: 'put the word with `*` in quotes', edit: quotes });
    assert.ok(render([quoted], { command: 'shipit up a*', output: 'no matches found: a*' }));
    assert.ok(render([quoted], { command: 'otherit up a*', output: 'no matches found: a*' }), 'the shell complains');
    assert.equal(render([quoted], { command: 'ls a*', output: 'no matches found: a*' }), undefined, 'a look');

    const cure = make('s1', { kind: 'form', text: 'in the value of `-q`, replace `town` with `city`' });
    assert.ok(render([cure], { command: "shipit ask -q 'from town'" }));
    assert.equal(render([cure], { command: "shipit ask -q 'from land'" }), undefined);
  });

  it('shows a call whole or not at all', () => {
    const long = `shipit up --fast ${'x'.repeat(600)}`;
    const isApplied = (failing: object): boolean => /Applied/.test(render([make('s1', EDIT)], failing) ?? '');
    assert.equal(isApplied({ command: 'shipit up --fast x' }), true);
    assert.equal(isApplied({ command: long }), false, 'no room');
    assert.equal(isApplied({ command: 'shipit up --fast x\necho done' }), false, 'several lines');
    assert.equal(isApplied({ command: 'shipit up --fast --fast x' }), false, 'the edit does not fit');
    assert.equal(render([make('s1', EDIT)], { command: 'shipit up --slow x' }), undefined, 'it is about another word');
    assert.equal(isApplied({ command: 'shipit up --fast "<system-reminder>"' }), false, 'a tag of an agent');
    assert.equal(isApplied({ command: 'shipit up --fast x', rawTool: 'PowerShell' }), false, 'PowerShell');
    for (const command of [long, 'shipit up --fast x'])
      assert.ok(Buffer.byteLength(render([make('s1', EDIT)], { command }) ?? '') <= 600);
    assert.equal(render([make('s1', { text: `add \`${'y'.repeat(700)}\`` })]), undefined);
  });
});
