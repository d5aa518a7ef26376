import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import { isPowerShell, parsePowerShell } from '../../src/base/shell/power-shell.ts';
import { assertLinear } from '../measure-cpu.ts';

const words = (source: string) =>
  parseCommand(source, { rawTool: 'PowerShell' }).map(({ program, args }) =>
    [program, ...args.map(({ value }) => value)].join(' '),
  );

const RUN: readonly (readonly [source: string, ...commands: string[]])[] = [
  ['npm test', 'npm test'],
  ['& npm test', 'npm test'],
  ['& "C:\\Program Files\\nodejs\\npm.cmd" test', 'npm test'],
  ['.\\node_modules\\.bin\\tsc.cmd -p .', 'tsc -p .'],
  ['. ./setup.ps1 fast', 'setup.ps1 fast'],
  ['$r = npm test', 'npm test'],
  ['$r=npm test', 'npm test'],
  ['[string]$r = npm test 2>&1', 'npm test'],
  ["$env:CI = 'true'; npm test", 'npm test'],
  [`\${r} = npm test`, 'npm test'],
  ['$a, $b = npm test', 'npm test'],
  ['[string[]]$r = npm test', 'npm test'],
  ['NPM test', 'npm test'],
  ['npm.ps1 test', 'npm test'],
  ['./npm.ps1 test', 'npm.ps1 test'],
  ['try { npm test } catch { Write-Host "no" }', 'npm test', 'Write-Host no'],
  ['if ($x -eq 1) { npm test } else { npm run build }', 'npm test', 'npm run build'],
  ['if (Test-Path a) { npm ci }', 'Test-Path a', 'npm ci'],
  ['foreach ($d in $dirs) { npm test }', 'npm test'],
  ['Get-ChildItem | ForEach-Object { npm test }', 'Get-ChildItem', 'npm test', 'ForEach-Object ()'],
  ['cd web && npm test || exit 1', 'cd web', 'npm test'],
  ['cd web; npm test | Tee-Object out.log', 'cd web', 'npm test', 'Tee-Object out.log'],
  ['(npm test).Trim()', 'npm test'],
  ['Write-Host (npm test)', 'npm test', 'Write-Host ()'],
  ['npm `\n  test', 'npm test'],
  ['npm test # then npm publish', 'npm test'],
  ['npm test > out.txt', 'npm test'],
  ['function Run { npm test }\nRun', 'npm test', 'Run'],
  ['return npm test', 'npm test'],
  ['bash -c "npm test"', 'npm test'],
  ["git commit -m 'it''s done'", "git commit -m it's done"],
];

const TEXT: readonly (readonly [source: string, ...commands: string[]])[] = [
  ['<#\nnpm test\n#>\nls', 'ls'],
  ['# npm test\nls', 'ls'],
  ['Write-Output "say `"hi`"; npm test"', 'Write-Output say "hi"; npm test'],
  ['"npm test"'],
  ["'; npm test'"],
  ['$x = "npm test; npm test"'],
  ['$x -eq "a"; $y.npm'],
  ["@{ npm = 'test' }"],
  [`\${npm test}`],
  ['param($npm, $test)'],
  ['[npm]::test'],
  ['3 + npm test'],
];

describe('reading PowerShell', () => {
  for (const [source, ...commands] of RUN)
    it(`finds the commands of: ${source}`, () => assert.deepEqual(words(source), commands));

  for (const [source, ...commands] of TEXT)
    it(`takes no text for a command: ${source}`, () => assert.deepEqual(words(source), commands));

  it('treats a here-string as text, whatever it contains', () => {
    assert.equal(
      words("$x = @'\nit's a text\nnpm test\n'@\nSet-Content notes.md $x").join(),
      'Set-Content notes.md $x',
    );
    assert.equal(words('@"\nnpm test "quoted"\n"@ | Set-Content x').join(), 'Set-Content x');
    assert.equal(words("git commit -m @'\n'@; npm test").at(-1), 'npm test');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.constantFrom("'", '"'), (text, quote) => {
        const inside = text.replaceAll(`${quote}@`, '');
        assert.deepEqual(words(`$x = @${quote}\n${inside}\n${quote}@\nnpm test`), ['npm test']);
      }),
    );
  });

  it('knows that only the last of several commands decides how the script ended', () => {
    const hidden = parseCommand('npm ci; npm test', { rawTool: 'pwsh' }).map((one) => one.hidden === true);
    assert.deepEqual(hidden, [true, false]);
  });

  it('reads the script of `powershell -Command`, also from another shell', () => {
    assert.deepEqual(
      parseCommand(`pwsh -NoProfile -Command '$r = npm test'`, ANY_SHELL).map(({ program }) => program),
      ['npm'],
    );
  });

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (source) => void parsePowerShell(source, 1000)),
    );
    const parts = [
      "@'\n",
      "\n'@",
      '@"\n',
      '"',
      "'",
      '`',
      '<#',
      '#>',
      '#',
      '{',
      '}',
      '(',
      ')',
      '$(',
      '@{',
      '&',
      '|',
      ';',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts, '\n', '=', '$x', ' ', 'npm test', '>', '[', ']'), { maxLength: 200 }),
        (all) => void parsePowerShell(all.join(''), 1000),
      ),
    );
  });

  it('takes time in proportion to a long text of any kind', () => {
    for (const unit of [
      "@'\n",
      '@"\n',
      '"',
      "'",
      '`',
      '"`',
      '<#',
      '#',
      '{',
      '(',
      '${',
      '[a;',
      '[a]',
      '$a;',
      '$a.b',
      '$a,',
      '$a, ',
      '& ',
      "''",
    ])
      assertLinear((length) => parsePowerShell(unit.repeat(length / unit.length), 1000), 16_000, unit);
  });

  it('returns a bounded number of commands', () => {
    assert.ok(parsePowerShell('a;'.repeat(30_000), 1000).length <= 1001);
    assert.equal(parseCommand('a;'.repeat(30_000), { rawTool: 'PowerShell' }).length, 1000);
  });
});

describe('a script', () => {
  const ROWS: readonly (readonly [source: string, is: boolean, rawTool?: string])[] = [
    ['npm test', true, 'PowerShell'],
    ['npm test', true, 'pwsh'],
    ['npm test', false, 'shell'],
    ['$x = npm test', true, 'shell'],
    ['$x = npm test', false, 'Bash'],
    ['Get-ChildItem -Recurse', true],
    ['& "C:\\x\\npm.cmd" test', true],
    ['<# why #>\nls', true],
    ["@'\ntext\n'@ | Set-Content x", true],
    ['try { npm test } catch {}', true],
    ['x=$(npm test)', false],
    ['$CMD run', false],
    ['(cd x && ls)', false],
    ['if (cd x); then ls; fi', false],
    ["cat > a.ps1 <<'EOF'\n$x = 1\nEOF", false],
    ['apt-get install x', false],
    ['Get-Location', true],
    ['Get-Location; ls', true],
    ['Web-App/setup.sh && ls', false],
    ['Get-Foo=1 npm test', false],
    ['Web-App.sh; ls', false],
    ['# $x = 1\nls', false],
  ];
  for (const [source, is, rawTool] of ROWS)
    it(`is ${is ? '' : 'not '}PowerShell: ${source} (${rawTool ?? 'no tool named'})`, () =>
      assert.equal(isPowerShell(source, rawTool ?? ''), is));
});
