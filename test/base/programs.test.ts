import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHookRows } from '../../scripts/shrink-programs.ts';
import { findMainCommand, toIntentKey } from '../../src/base/shell/intent.ts';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import { findCheckKind, isProbe } from '../../src/base/shell/program-kinds.ts';
import { findFacts, isKnownAs, listPrograms } from '../../src/base/shell/programs/all-facts.ts';
import { ROWS } from '../../src/base/shell/programs/rows.ts';
import {
  HOOK_FACTS,
  HOOK_TRAITS,
  type HookTrait,
  OTHER_TRAITS,
  row,
} from '../../src/base/shell/programs/vocabulary.ts';
import { hasHookTrait, type SimpleCommand } from '../../src/base/shell/simple-command.ts';
import { findScriptName, toSubCommand } from '../../src/base/shell/sub-commands.ts';

const NAMES = ROWS.flatMap(([names]) => names.split(' '));

function parse(line: string): SimpleCommand {
  const [command] = parseCommand(line, ANY_SHELL);
  assert.ok(command !== undefined);
  return command;
}

describe('the catalogue of programs', () => {
  it('has one row per program', () => {
    assert.deepEqual(
      NAMES.filter((name, i) => NAMES.indexOf(name) !== i),
      [],
    );
    assert.ok(NAMES.every((name) => name !== ''));
  });

  it('uses only traits that the vocabulary explains', () => {
    // @ts-expect-error: the compiler refuses the word `lokks`.
    const [, facts] = row('acme', 'shows lokks flat');
    assert.equal(facts.is, 'shows lokks flat');
    assert.equal(row('acme', 'shows looks flat')[0], 'acme');
  });

  it('uses every trait that it explains', () => {
    const used = new Set(ROWS.flatMap(([, { is = '', subs = {} }]) => [...is.split(' '), ...Object.keys(subs)]));
    for (const trait of Object.keys({ ...HOOK_TRAITS, ...OTHER_TRAITS })) assert.ok(used.has(trait), trait);
  });

  it("has the same facts in the hook's bundle, as far as the hook uses them", () => {
    const inHook = new Map(toHookRows(ROWS).flatMap(([names, facts]) => names.split(' ').map((name) => [name, facts])));
    for (const name of NAMES) {
      const [all, some] = [findFacts(name), inHook.get(name)];
      for (const trait of Object.keys(HOOK_TRAITS) as HookTrait[]) {
        assert.equal(some?.is?.split(' ').includes(trait) ?? false, isKnownAs(name, trait), `${name}: ${trait}`);
        assert.equal(some?.subs?.[trait], all?.subs?.[trait], `${name}: ${trait}`);
      }
      for (const fact of HOOK_FACTS.filter((one) => one !== 'is' && one !== 'subs'))
        assert.deepEqual(some?.[fact], all?.[fact], `${name}: ${fact}`);
    }
  });

  it('finds a program of PowerShell in any case', () => {
    assert.equal(isKnownAs('Set-Location', 'moves'), true);
    assert.equal(isKnownAs('Write-Host', 'prints'), true);
    assert.equal(isKnownAs('Rscript', 'interpreter'), true);
  });

  it('gives the same answers after more queries than the cache has room for', () => {
    for (let i = 0; i < 2_500; i++) assert.equal(findFacts(`acme-${i}`), undefined);
    assert.equal(isKnownAs('grep', 'searches'), true);
    assert.deepEqual(findFacts('ansible-vault')?.secrets, ['view']);
  });

  it('does not take the name of an object property for a program', () => {
    assert.equal(findFacts('constructor'), undefined);
    assert.equal(isKnownAs('toString', 'looks'), false);
  });

  it('lists programs in the order of stored triggers', () => {
    assert.equal(listPrograms('views', 'lists').join(' '), 'ls cat bat head tail less more sed wc nl stat file tree');
  });
});

describe('facts that former lists disagreed about', () => {
  it('an interpreter is one with its version, and so is a rare shell', () => {
    assert.equal(isKnownAs('python3.12', 'interpreter'), true);
    assert.equal(isKnownAs('md5', 'interpreter'), false);
    assert.deepEqual(toSubCommand(parse('python3.12 manage.py migrate')), ['manage.py']);
    assert.equal(findScriptName(parse('fish tools/seed.sh')), 'seed.sh');
  });

  it('a task of `deno` is a task, a file that it runs is a script', () => {
    assert.equal(findScriptName(parse('deno task build')), 'build');
    assert.equal(findScriptName(parse('deno seed.ts')), 'seed.ts');
    assert.equal(toIntentKey({ tool: 'shell', rawTool: 'Bash', command: 'deno install npm:x' }), 'shell deno install');
  });

  it('a line that prints and then acts is about the action', () => {
    assert.equal(findMainCommand(parseCommand("printf 'y\\n' | git add -p a.ts", ANY_SHELL))?.program, 'git');
    assert.equal(findMainCommand(parseCommand('printf x', ANY_SHELL))?.program, 'printf');
  });

  it('a program is the same under its other name', () => {
    assert.deepEqual(toSubCommand(parse('gmake -C lib all')), []);
    assert.equal(findCheckKind(parse('./mvnw -pl app clean verify'), undefined), 'test');
    assert.equal(isProbe(parse('egrep -h error log')), false);
  });

  it('a program that only runs another one is skipped', () => {
    assert.equal(parse('unbuffer npm test').program, 'npm');
    assert.equal(parse('chronic make all').program, 'make');
  });

  it('only some commands of `docker` and `kubectl` run a command elsewhere', () => {
    for (const line of [
      'docker exec -i db psql',
      'docker compose exec db psql',
      'kubectl -n shop exec web -- sh',
      'ssh web',
    ])
      assert.equal(hasHookTrait(parse(line), 'elsewhere'), true, line);
    for (const line of ['docker build .', 'kubectl get po'])
      assert.equal(hasHookTrait(parse(line), 'elsewhere'), false, line);
  });

  it('a check that only begins like a word of the language is not a check', () => {
    assert.equal(findCheckKind(parse('npm run jest-ci'), 'jest-ci'), 'test');
    assert.equal(findCheckKind(parse('npm run standard-version'), 'standard-version'), undefined);
  });
});
