/**
 * The shims for Windows, from the same facts as the bash shim. `hook.ps1` is for agents that run hooks in PowerShell:
 * it asks the daemon, or runs `hook.cjs` when there is none. `hook.cmd` is for all others and for a PowerShell that may
 * run no scripts: it cannot open a connection, so it always runs `hook.cjs`. The door of the daemon is a TCP port on
 * all systems. Both find the data directory by their own path, so that a person may move it.
 */
import { win32 } from 'node:path';
import { AGENTS } from '../../agents/agents.ts';
import { CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import type { ShimFacts } from './render-shim.ts';
import { FLAGS, PROTOCOL_VERSION } from './wire-protocol.ts';

type WindowsFacts = Omit<ShimFacts, 'bash'>;

/** As long as the bash shim and the program in an agent wait. */
const DAEMON_MS = 1000;
const HOOK_MS = 1500;

/** Windows PowerShell 5.1 takes a file without this mark for one in the code page of the system. */
const BYTE_ORDER_MARK = '\uFEFF';

/** PowerShell 5.1 and 7. All is in one `try`, because an error that leaves the script would refuse a call in some agents. */
export function renderPowerShellShim(facts: WindowsFacts): string {
  return `${BYTE_ORDER_MARK}param([string] $Agent, [string] $EventName)
# Oncebitten's hook: asks the daemon, or hook.cjs when there is none. Generated. It never fails and never blocks a call.
$ErrorActionPreference = 'Stop'
try {
  if ($env:${CHILD_VARIABLE} -eq '1' -or $env:ONCEBITTEN_DISABLED -eq '1') { exit 0 }
  $here = [System.IO.Path]::GetDirectoryName($PSScriptRoot)
  $app = ${toPowerShellPath(facts.app, facts)}
  $node = ${toPowerShellPath(facts.node, facts)}
  $flags = '${FLAGS.none}'
  if ($env:DISABLE_EXPERIENCE_INJECTION -eq '1') { $flags = '${FLAGS.quiet}' }
  if ($env:ONCEBITTEN_PROBE -eq '1' -or $env:ONCEBITTEN_PROBE -eq 'cold') { $flags = '${FLAGS.probe}' }
  $agentPid = ''
${renderPowerShellProcesses()}
  $hostName = [System.Net.Dns]::GetHostName()
  # A name with a slash would lead to a door file outside of the data directory.
  if ("$env:ONCEBITTEN_HOST" -match '^[^./\\\\][^/\\\\]*$') { $hostName = $env:ONCEBITTEN_HOST }
  $run = [System.IO.Path]::Combine($here, 'run', $hostName)
  $door = [System.IO.Path]::Combine($run, 'door')
  # A daemon that hangs costs one call a second, not every call: it is left alone until it removes the mark itself.
  $stalled = [System.IO.Path]::Combine($run, 'stalled')
  $payload = New-Object System.IO.MemoryStream
  [System.Console]::OpenStandardInput().CopyTo($payload)
  $bytes = $payload.ToArray()
  $isSent = $false
  if ($env:ONCEBITTEN_PROBE -ne 'cold' -and [System.IO.File]::Exists($door) -and -not [System.IO.File]::Exists($stalled)) {
    $client = New-Object System.Net.Sockets.TcpClient
    $watch = [System.Diagnostics.Stopwatch]::StartNew()
    try {
      $port, $ask, $answer = [System.IO.File]::ReadAllText($door).Trim().Split(' ')
      $client.NoDelay = $true
      $client.ReceiveTimeout = ${DAEMON_MS}
      $client.SendTimeout = ${DAEMON_MS}
      $client.Connect('127.0.0.1', [int] $port)
      $stream = $client.GetStream()
      $header = [System.Text.Encoding]::ASCII.GetBytes("$ask ${PROTOCOL_VERSION} $Agent $EventName $flags $agentPid\`n")
      $stream.Write($header, 0, $header.Length)
      $greeting = ''
      while (($byte = $stream.ReadByte()) -gt 10) { $greeting += [char] $byte }
      if ($greeting -ceq $answer) {
        $stream.Write($bytes, 0, $bytes.Length)
        $stream.WriteByte(0)
        $isSent = $true
        $told = New-Object System.IO.MemoryStream
        $stream.CopyTo($told)
        $reply = [System.Text.Encoding]::UTF8.GetString($told.ToArray()).TrimStart(' ')
        # Without its newline the reply is no receipt: the daemon died before it wrote the event down.
        $isSent = $reply.EndsWith("\`n")
        if ($isSent -and $reply.Length -gt 1) {
          $line = [System.Text.Encoding]::UTF8.GetBytes($reply)
          $out = [System.Console]::OpenStandardOutput()
          $out.Write($line, 0, $line.Length)
          $out.Flush()
        }
      }
    } catch {
      $isLate = $watch.ElapsedMilliseconds -ge ${DAEMON_MS}
      if ($isLate) { [System.IO.File]::WriteAllText($stalled, '') }
      $isSent = $isSent -and $isLate
    } finally {
      $client.Close()
    }
  }
  $script = [System.IO.Path]::Combine($app, 'hook.cjs')
  if (-not $isSent -and [System.IO.File]::Exists($node) -and [System.IO.File]::Exists($script)) {
    $start = New-Object System.Diagnostics.ProcessStartInfo
    $start.FileName = $node
    $start.Arguments = "--v8-pool-size=1 \`"$script\`" $Agent $EventName $flags"
    $start.UseShellExecute = $false
    $start.RedirectStandardInput = $true
    # A project may have set these for its sessions: code for Node to load.
    foreach ($name in @($start.EnvironmentVariables.Keys)) {
      if ($name -match '^(NODE|OPENSSL)_') { $start.EnvironmentVariables.Remove($name) }
    }
    $start.EnvironmentVariables['ONCEBITTEN_HOME'] = $here
    $process = [System.Diagnostics.Process]::Start($start)
    $process.StandardInput.BaseStream.Write($bytes, 0, $bytes.Length)
    $process.StandardInput.Close()
    if (-not $process.WaitForExit(${HOOK_MS})) { $process.Kill() }
  }
} catch {
}
exit 0
`.replaceAll('\n', '\r\n');
}

function renderPowerShellProcesses(): string {
  return AGENTS.flatMap(({ id, processVariable }) =>
    processVariable === undefined ? [] : [`  if ($Agent -eq '${id}') { $agentPid = $env:${processVariable} }`],
  ).join('\n');
}

function toPowerShellPath(path: string, { dataDir }: WindowsFacts): string {
  const inside = findInside(path, dataDir);
  return inside === undefined ? quotePowerShell(path) : `[System.IO.Path]::Combine($here, ${quotePowerShell(inside)})`;
}

/** PowerShell takes four typographic marks for apostrophes, too. */
export function quotePowerShell(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201B]/g, '$&$&')}'`;
}

/**
 * Values come in by delayed expansion (`!name!`), which nobody parses again: a project may have set a variable to
 * something like `" & calc & "`. The paths are set before it is switched on, because it would take the `!` out of them.
 */
export function renderCmdShim(facts: WindowsFacts): string {
  return renderBatch(
    facts,
    `rem Oncebitten's hook without the daemon: runs hook.cjs. Generated. It never fails and never blocks a call.`,
    [
      `if "!${CHILD_VARIABLE}!"=="1" exit /b 0`,
      'if "!ONCEBITTEN_DISABLED!"=="1" exit /b 0',
      `set "flags=${FLAGS.none}"`,
      `if "!DISABLE_EXPERIENCE_INJECTION!"=="1" set "flags=${FLAGS.quiet}"`,
      `if "!ONCEBITTEN_PROBE!"=="1" set "flags=${FLAGS.probe}"`,
      `if "!ONCEBITTEN_PROBE!"=="cold" set "flags=${FLAGS.probe}"`,
      'rem A project may have set these for its sessions: code for Node to load.',
      ...LOADING_VARIABLES.map((name) => `set "${name}="`),
      'if not exist "!node!" exit /b 0',
      'if not exist "!app!\\hook.cjs" exit /b 0',
      '"!node!" --v8-pool-size=1 "!app!\\hook.cjs" %1 %2 !flags! 2>nul',
      'exit /b 0',
    ],
  );
}

/** Batch files cannot unset variables by their beginning without another process. */
const LOADING_VARIABLES = [
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_V8_COVERAGE', 'NODE_COMPILE_CACHE'],
  ...['OPENSSL_CONF', 'OPENSSL_MODULES'],
];

/** The command line, for a user who has deleted the package folder. */
export function renderCmdCommand(facts: WindowsFacts): string {
  return renderBatch(facts, `rem Oncebitten's command line, run from its own copy in the data directory. Generated.`, [
    'if exist "!node!" if exist "!app!\\cli.mjs" goto run',
    '>&2 echo oncebitten: its programs or its Node are no longer there',
    '>&2 echo   next: install Oncebitten again from a clone or a package',
    'exit /b 1',
    ':run',
    // Without delayed expansion again: it would take the `!` out of the arguments.
    'endlocal',
    '"%node%" "%app%\\cli.mjs" %*',
  ]);
}

function renderBatch(facts: WindowsFacts, notice: string, lines: readonly string[]): string {
  const paths = [
    `set "app=${toBatchPath(facts.app, facts)}"`,
    `set "node=${toBatchPath(facts.node, facts)}"`,
    'set "ONCEBITTEN_HOME=%here%"',
  ];
  return [
    '@echo off',
    notice,
    'setlocal EnableExtensions DisableDelayedExpansion',
    // cmd reads a batch file in the code page of its window.
    ...(/^[\x20-\x7e]*$/.test(paths.join('')) ? [] : ['chcp 65001 >nul']),
    'for %%I in ("%~dp0..") do set "here=%%~fI"',
    ...paths,
    'setlocal EnableDelayedExpansion',
    ...lines,
    '',
  ].join('\r\n');
}

/** A Windows path has no quotes in it. */
function toBatchPath(path: string, { dataDir }: WindowsFacts): string {
  const inside = findInside(path, dataDir);
  const text = (inside ?? path).replaceAll('%', '%%');
  return inside === undefined ? text : `%here%\\${text}`;
}

function findInside(path: string, dataDir: string): string | undefined {
  const inside = win32.relative(dataDir, path);
  return inside === '' || inside.startsWith('..') || win32.isAbsolute(inside) ? undefined : inside;
}
