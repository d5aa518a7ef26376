/**
 * The scripts that agents run on a user's machine: for bash 3.2 (macOS has no newer one), for any `/bin/sh` (dash, zsh, bash
 * in its old mode), and for PowerShell and cmd. Nobody has PowerShell or cmd here, so these are parsed, not run.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { INSTALLS } from '../../src/agents/installs.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { deployApp } from '../../src/surfaces/daemon/deploy-app.ts';
import { renderCmdCommand, renderCmdShim, renderPowerShellShim } from '../../src/surfaces/hook/render-windows-shims.ts';
import { DEFAULT_HOOK_FILE, toHookCommand, toHookHandler } from '../../src/surfaces/install/hook-command.ts';
import { ROOT } from './read-import-graph.ts';

/** Words of bash that 3.2 does not know: an example, and its form. */
const NEWER: readonly (readonly [example: string, form: RegExp])[] = [
  [`echo "\${x@Q}"`, /\$\{\w+(?:\[[^\]]*\])?@[A-Za-z]\}/],
  [`echo "\${x^^}"`, /\$\{\w+(?:\[[^\]]*\])?\^/],
  [`echo "\${x,}"`, /\$\{\w+(?:\[[^\]]*\])?,/],
  [`echo "\${x:0:-1}"`, /\$\{\w+:[^}:]*:\s*-/],
  [`echo "\${list[-1]}"`, /\$\{\w+\[-\d/],
  ['mapfile -t lines <file', /\b(?:mapfile|readarray)\b/],
  ['declare -A map', /\b(?:declare|local|typeset)\s+-\w*[Agnlu]/],
  ['local -n other=$1', /\b(?:declare|local|typeset)\s+-\w*[Agnlu]/],
  ['echo x &>>log', /&>>/],
  ['make |& tee log', /\|&/],
  ['echo $EPOCHREALTIME', /\b(?:EPOCHREALTIME|EPOCHSECONDS|BASHPID|SRANDOM|BASH_ARGV0)\b/],
  ['read -r -t 0.5 line', /\bread\b[^\n;|&]*\s-\w*t\s*\d*\.\d/],
  ['read -r -N 10 part', /\bread\b[^\n;|&]*\s-\w*[Ni]\b/],
  ['wait -n', /\bwait\s+-[np]/],
  ["printf '%(%F)T' -1", /%\([^)]*\)T/],
  ['coproc cat', /\bcoproc\b/],
  ['case x in x) echo ;& esac', /;&/],
  ['exec {fd}<file', /\{\w+\}[<>]/],
  ['shopt -s globstar', /\bshopt\b[^\n;]*\b(?:globstar|lastpipe|inherit_errexit|autocd|checkjobs|dirspell)\b/],
  ['[[ -v name ]]', /(?:\[|\btest)\s+-v\s/],
  ['echo {01..10}', /\{0\d+\.\.\d/],
  ['echo {1..10..2}', /\{\w+\.\.\w+\.\.\w+\}/],
  [`echo $'\\u20ac'`, /\$'[^']*\\[uU][0-9a-fA-F]/],
];

/** What stands behind a check of the version may be newer. */
const GUARDED = /if \[ "\$\{BASH_VERSINFO\[0\]\}" -ge 5 \]; then\n[\s\S]*?\n {4}else\n/g;

function listNewer(script: string): readonly string[] {
  const code = script.replaceAll(/^\s*#.*$/gm, '').replaceAll(GUARDED, '');
  return NEWER.flatMap(([, form]) => form.exec(code)?.[0] ?? []);
}

describe('the scripts for bash', () => {
  const home = toDataHome(mkdtempSync(join(tmpdir(), 'oncebitten-shells-')));
  const scripts: Record<string, string> = {};
  before(() => {
    deployApp(home);
    scripts['bin/hook'] = readFileSync(home.hookFile, 'utf8');
    scripts['bin/oncebitten'] = readFileSync(home.commandFile, 'utf8');
    scripts['find-node'] = readFileSync(join(ROOT, 'src/surfaces/launch/find-node.sh'), 'utf8');
  });
  after(() => rmSync(home.dir, { recursive: true, force: true }));

  it('have no word that bash 3.2 does not know', () => {
    for (const [name, script] of Object.entries(scripts))
      assert.deepEqual(listNewer(script), [], `${name} must run in the bash of macOS, which is from 2007`);
    assert.match(scripts['bin/hook'] ?? '', GUARDED, 'the newer words of the shim stand behind a check of the version');
  });

  for (const [example] of NEWER)
    it(`would be found with: ${example}`, () => assert.notDeepEqual(listNewer(`#!/bin/bash\n${example}\n`), []));

  it('parse', () => {
    for (const file of [home.hookFile, home.commandFile, join(ROOT, 'src/surfaces/launch/find-node.sh')])
      assert.deepEqual(parseWith('/bin/bash', '-n', file), '');
  });
});

function parseWith(shell: string, ...words: readonly string[]): string {
  return spawnSync(shell, words, { encoding: 'utf8' }).stderr;
}

const HOOK_FILES = [DEFAULT_HOOK_FILE, '/home/a b/$x `y` "z"/.oncebitten/bin/hook'];
const SHELLS = ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/zsh', '/usr/bin/zsh'].filter((file) => existsSync(file));
const COMMANDS = INSTALLS.filter(({ hooks }) => hooks.program === undefined);

describe('the commands in the settings of agents', () => {
  for (const { facts, hooks } of COMMANDS)
    it(`of ${facts.name} parse in every sh of this machine, and end well where Oncebitten is gone`, () => {
      for (const file of HOOK_FILES)
        for (const shell of SHELLS) {
          const command = toHookCommand(file, facts.id, hooks.events[0]?.name ?? '');
          const { status, stdout, stderr } = spawnSync(shell, ['-c', command], {
            ...{ encoding: 'utf8', input: '{}', env: { HOME: '/nowhere' } },
          });
          assert.deepEqual([status, stdout, stderr], [0, '', ''], `${shell}: ${command}`);
        }
    });

  it('take a here-document behind them where an agent writes one', () => {
    const { facts } = COMMANDS.find(({ hooks }) => hooks.redirects) ?? {};
    const command = toHookCommand('/bin/hook', facts?.id ?? '', 'stop').replaceAll('"/bin/hook"', '/bin/cat');
    const script = `${command.replace(/\/bin\/cat \S+ stop/, '/bin/cat')} <<'EOF'\npayload\nEOF`;
    assert.equal(spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).stdout, 'payload\n');
  });
});

const WINDOWS = {
  dataDir: 'C:\\Users\\Jo O’Neil & 100% 1!\\.oncebitten',
  app: 'C:\\Users\\Jo O’Neil & 100% 1!\\.oncebitten\\app\\1.2.3+abc',
  node: "C:\\Program Files\\node's\\node.exe",
};

describe('the scripts for PowerShell', () => {
  let listFaults: (script: string) => readonly string[] = () => ['no parser'];
  before(async () => {
    listFaults = await openPowerShellParser();
  });

  it('parse, and the parser finds faults', () => {
    assert.deepEqual(listFaults(renderPowerShellShim(WINDOWS)), []);
    assert.notDeepEqual(listFaults('try { & "x" } catch {'), []);
    assert.notDeepEqual(listFaults("$a = 'it's'"), []);
  });

  it('end with 0 whatever happens: all but the parameters is in one try, and nothing leaves it', () => {
    const script = renderPowerShellShim(WINDOWS).replaceAll('\r\n', '\n');
    assert.match(
      script,
      /^\uFEFFparam\(.*\)\n(?:#.*\n)*\$ErrorActionPreference = 'Stop'\ntry \{\n[\s\S]*\n\} catch \{\n\}\nexit 0\n$/,
    );
    assert.doesNotMatch(script, /\bthrow\b|Write-(?:Error|Host|Output)|exit [1-9]/);
  });

  it('have a deadline for the daemon and for hook.cjs', () => {
    const script = renderPowerShellShim(WINDOWS);
    for (const form of [/ReceiveTimeout = \d+/, /SendTimeout = \d+/, /WaitForExit\(\d+\)\) \{ \$process\.Kill\(\)/])
      assert.match(script, form);
  });

  it('quote paths for PowerShell, which takes typographic apostrophes for apostrophes', () => {
    const script = renderPowerShellShim({ ...WINDOWS, app: 'D:\\O’Neil\\app' });
    assert.ok(script.includes("$app = 'D:\\O’’Neil\\app'"), script);
    assert.ok(script.includes("$node = 'C:\\Program Files\\node''s\\node.exe'"));
    assert.ok(renderPowerShellShim(WINDOWS).includes("Combine($here, 'app\\1.2.3+abc')"), 'beside the script');
  });

  it('are in the commands of agents as those run them', () => {
    const files = [DEFAULT_HOOK_FILE, 'C:\\O’Neil $x\\ob\\bin\\hook'];
    for (const { facts, hooks } of COMMANDS)
      for (const file of files) {
        const command = toHookCommand(file, facts.id, hooks.events[0]?.name ?? '', 'win32');
        if (hooks.windows?.shell === 'powershell') assert.deepEqual(listFaults(command), [], command);
        if (hooks.windows?.shell === 'pipe') {
          assert.deepEqual(listFaults(`$input | & ${command}`), [], command);
          assert.match(command, /^"[^"]+\.cmd" [\w-]+ \w+$/);
        }
      }
  });
});

/** With the grammar of PowerShell that VS Code uses. */
async function openPowerShellParser(): Promise<(script: string) => readonly string[]> {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@vscode/tree-sitter-wasm');
  const { Parser, Language } = require(file);
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(join(dirname(file), 'tree-sitter-powershell.wasm')));
  return (script) => {
    const { rootNode } = parser.parse(script.replace(/^\uFEFF/, ''));
    if (!rootNode.hasError) return [];
    const faults = [rootNode, ...rootNode.descendantsOfType('ERROR')].map(({ text }) => text.slice(0, 80));
    return faults.slice(1).concat(faults.length === 1 ? ['a missing part'] : []);
  };
}

describe('the scripts for cmd', () => {
  const shim = renderCmdShim(WINDOWS);
  const command = renderCmdCommand({ ...WINDOWS, app: 'D:\\50% off\\app' });

  it('have the lines that cmd needs: CR LF, no echo, no byte order mark', () => {
    for (const script of [shim, command]) {
      assert.ok(script.startsWith('@echo off\r\n'));
      assert.equal(script.replaceAll('\r\n', '').includes('\n'), false);
    }
  });

  it('set paths before delayed expansion, which would take out a "!", and read values only with it', () => {
    const [before = '', behind = ''] = shim.split('setlocal EnableDelayedExpansion');
    assert.ok(before.includes('set "app=%here%\\app\\1.2.3+abc"'));
    assert.ok(before.includes(`set "node=C:\\Program Files\\node's\\node.exe"`));
    assert.doesNotMatch(behind, /%(?![12] )/, 'a value that is expanded early is parsed as a command');
    assert.ok(command.includes('set "app=D:\\50%% off\\app"'));
  });

  it('change the code page only for paths that need it', () => {
    const foreign = renderCmdShim({ ...WINDOWS, node: 'C:\\Users\\Jürgen\\node.exe' });
    assert.deepEqual([shim.includes('chcp'), foreign.includes('chcp 65001')], [false, true]);
  });

  it('end with 0 and print nothing of their own', () => {
    assert.ok(shim.endsWith('exit /b 0\r\n'));
    assert.doesNotMatch(shim, /^(?!rem|@echo).*\becho\b|exit \/b [1-9]/m);
    for (const line of shim.split('\r\n').filter((one) => one.startsWith('"'))) assert.match(line, / 2>nul$/);
  });

  it('are in the command of an agent without a quote, because that agent escapes quotes', () => {
    for (const file of [DEFAULT_HOOK_FILE, 'C:\\a b & (c)\\ob\\bin\\hook']) {
      const text = toHookCommand(file, 'codex', 'PreToolUse', 'win32');
      assert.match(text, /^\(cd \/d [^"]+\\bin && call hook\.cmd codex PreToolUse\) 2>nul & exit 0$/);
    }
    assert.ok(toHookCommand('C:\\a b & (c)\\ob\\bin\\hook', 'codex', 'Stop', 'win32').includes('a b ^& ^(c^)'));
  });
});

describe('the handlers for Windows', () => {
  it('fit each agent', () => {
    const toKeys = (id: string): string => {
      const agent = INSTALLS.find(({ facts }) => facts.id === id);
      const [event] = agent?.hooks.events ?? [];
      if (agent === undefined || event === undefined) return '';
      const { timeout: _, type: __, async: ___, ...handler } = toHookHandler(agent, DEFAULT_HOOK_FILE, event, 'win32');
      return Object.entries(handler)
        .map(([key, value]) => `${key}: ${String(value).split(' ')[0]}`)
        .join(', ');
    };
    assert.equal(toKeys('claude-code'), 'command: try, shell: powershell');
    assert.equal(toKeys('gemini'), 'command: try');
    assert.equal(toKeys('copilot'), 'powershell: try');
    assert.equal(toKeys('codex'), 'command: (cd');
    assert.match(toKeys('cursor'), /^command: "/);
  });
});
