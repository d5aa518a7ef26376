/**
 * Real agents as MCP clients: `install --mcp` adds the server beside the user's own, the agent offers every tool of it to
 * its model, and every tool answers, over stdio and over HTTP. `uninstall` leaves the settings as they were.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { readHttpFile, toMcpUrl } from '../../src/surfaces/http/http-file.ts';
import { TOOLS } from '../../src/surfaces/mcp/tools.ts';
import type { Checks } from './checks.ts';
import { DONE } from './delivery-requests.ts';
import { LEARN_CLIENTS } from './learn-clients.ts';
import { type OpenHome, openLearnStage } from './learn-stage.ts';
import { makeProductCli } from './make-product-cli.ts';
import { type ModelRequest, openRig, type RigTool, type Turn } from './rig.ts';

interface McpClient {
  /** The settings file with the servers, in the home. */
  readonly file: string;
  /** A session in which the user has allowed every call and every server. */
  readonly args: (prompt: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A call of one of our tools, as the model makes it. */
  readonly toTool: (name: string, input: object) => RigTool;
  /** How the model finds tools that it is not told of at once. */
  readonly search?: RigTool;
  /** Adds the server over HTTP to the settings of the user. */
  readonly addHttp: (settings: string, url: string, token: string) => string;
}

/** With a key in an object of a JSON file. */
const withKey =
  (list: string, toEntry: (url: string, headers: object) => object): McpClient['addHttp'] =>
  (settings, url, token) => {
    const parsed = JSON.parse(settings) as Record<string, Record<string, unknown>>;
    const entry = toEntry(url, { Authorization: `Bearer ${token}` });
    return JSON.stringify({ ...parsed, [list]: { ...parsed[list], oncebitten: entry } });
  };

const CLIENTS: Readonly<Record<string, McpClient>> = {
  claude: {
    file: '.claude/.claude.json',
    args: (prompt) => ['-p', '--dangerously-skip-permissions', prompt],
    env: { ENABLE_TOOL_SEARCH: 'false' },
    toTool: (name, input) => ({ name: `mcp__oncebitten__${name}`, input }),
    addHttp: withKey('mcpServers', (url, headers) => ({ type: 'http', url, headers })),
  },
  codex: {
    file: '.codex/config.toml',
    args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    toTool: (name, input) => ({ name, namespace: 'mcp__oncebitten', input }),
    search: { search: true, input: { query: 'oncebitten lesson failures memory capture explain', limit: 20 } },
    addHttp: (settings, url, token) =>
      `${settings}\n[mcp_servers.oncebitten]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${token}" }\n`,
  },
  gemini: {
    file: '.gemini/settings.json',
    args: (prompt) => ['--skip-trust', '--yolo', '-m', 'gemini-2.5-flash', '-p', prompt],
    toTool: (name, input) => ({ name: `mcp_oncebitten_${name}`, input }),
    addHttp: withKey('mcpServers', (httpUrl, headers) => ({ httpUrl, headers })),
  },
  opencode: {
    file: '.config/opencode/opencode.json',
    args: (prompt) => ['run', prompt],
    toTool: (name, input) => ({ name: `oncebitten_${name}`, input }),
    addHttp: withKey('mcp', (url, headers) => ({ type: 'remote', url, headers, enabled: true })),
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    args: (prompt) => ['-p', prompt, '--allow-all', '--no-auto-update', '--disable-builtin-mcps'],
    toTool: (name, input) => ({ name: `oncebitten-${name}`, input }),
    addHttp: withKey('mcpServers', (url, headers) => ({ type: 'http', url, headers, tools: ['*'] })),
  },
};

/** Each tool, some several times, in an order in which the later ones find what the earlier ones left. */
function listCalls(session: string, cwd: string): readonly (readonly [tool: string, input: object, answer: RegExp])[] {
  const report = { action: 'tool_outcome', session_id: session, tool: 'shell', cwd };
  const fast = { ...report, command: `shipit-${session} send --fast`, outcome: 'failure', exit_code: 2 };
  const quick = { ...report, command: `shipit-${session} send --quick`, outcome: 'success', exit_code: 0 };
  return [
    ['memory_capture', { action: 'status' }, /"recording": ?true/],
    ['memory_capture', { ...fast, output: 'error: unexpected argument --fast found' }, /"recorded": ?true/],
    ['memory_capture', { ...quick, output: 'sent' }, /"recorded": ?true/],
    ['memory_capture', { action: 'session_end_analysis', session_id: session }, /"calls": ?2/],
    ['lesson_search', { query: `shipit-${session}` }, /--quick/],
    ['lesson_add', { summary: `Ask before ${session}`, program: [`ask-${session}`], cwd }, /"status": ?"draft"/],
    ['explain_call', { command: `shipit-${session} send --fast`, cwd }, /replace `--fast` with `--quick`/],
    ['failures', {}, /unexpected argument --fast/],
    ['lesson_feedback', { lesson: 'no-such-lesson', verdict: 'helpful' }, /is not known/],
  ];
}

const PATIENCE_MS = 90_000;

/** `MCP_CLIENTS=codex,gemini`: only these. */
export async function accept(checks: Checks): Promise<void> {
  const only = process.env.MCP_CLIENTS?.split(',') ?? Object.keys(CLIENTS);
  for (const name of only) await acceptMcp(name, checks);
  rmSync(ROOT, { recursive: true, force: true });
}

async function acceptMcp(name: string, checks: Checks): Promise<void> {
  const [client, home] = [CLIENTS[name], LEARN_CLIENTS[name]];
  if (client === undefined || home === undefined) throw new Error(`no such client: ${name}`);
  const stage = openLearnStage(await openRig(name), home);
  const toTurn = ([tool, input]: ReturnType<typeof listCalls>[number]): Turn => ({
    text: 'I ask.',
    tools: [client.toTool(tool, input)],
  });
  const ways = ['stdio', 'http'];
  const routes = ways.map((way) => ({
    ...{ name: way, match: `STORY-${way}\\b` },
    turns: [
      ...(client.search === undefined ? [] : [{ text: 'I look.', tools: [client.search] }]),
      ...listCalls(`${name}-${way}`, toProject(way)).map(toTurn),
      DONE,
    ],
  }));
  const opened = await stage.open(routes, false);
  const check = (what: string, ok: boolean, detail?: string) => checks.check(`${name}: ${what}`, ok, detail);
  const cli = makeProductCli(
    () => opened.home,
    () => opened.env,
  );
  try {
    const file = join(opened.home, client.file);
    // The user's own server, which elsewhere hangs, ends here at once.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('exec cat >/dev/null', 'exit 1'));
    const original = readFileSync(file);
    const plan = (await cli('install', home.agent, '--mcp', '--dry-run')) as { readonly changed: boolean };
    check('--dry-run changes nothing', plan.changed && readFileSync(file).equals(original));
    await cli('install', home.agent, '--mcp');
    const installed = readFileSync(file);
    await cli('install', home.agent, '--mcp');
    check('install --mcp twice is once', readFileSync(file).equals(installed) && !installed.equals(original));
    await acceptWay('stdio', opened, client, check, `${stage.bin}/${home.program}`);
    const isUntouched = readFileSync(file).equals(installed);
    await cli('uninstall', home.agent, '--mcp');
    const after = readFileSync(file, 'utf8');
    check(
      'uninstall leaves the user’s server and not ours',
      after.includes('probe') && !after.includes('bin/oncebitten'),
    );
    // Some clients write their settings themselves.
    if (isUntouched) check('uninstall restores the bytes', readFileSync(file).equals(original));
    // It was stopped with the last server.
    await cli('daemon', 'start');
    const address = await findAddress(opened.home);
    if (address === undefined) return check('the daemon listens', false);
    // The first request starts the thread that answers, and some clients do not wait for a server that starts.
    const refused = await fetch(toMcpUrl(address.port), { method: 'POST', headers: { Authorization: 'Bearer wrong' } });
    check('http: a wrong token is refused', refused.status === 401, String(refused.status));
    writeFileSync(file, client.addHttp(after, toMcpUrl(address.port), address.token));
    await acceptWay('http', opened, client, check, `${stage.bin}/${home.program}`);
  } finally {
    await cli('daemon', 'stop').catch(() => {});
    await opened.server.close();
    stage.close();
  }
}

/** Known before the home is made, because the scripted model names it. */
const ROOT = mkdtempSync(join(tmpdir(), 'oncebitten-mcp-'));

function toProject(way: string): string {
  return join(ROOT, way);
}

async function findAddress(home: string) {
  const data = toDataHome(join(home, '.oncebitten'));
  for (let tries = 0; tries < 50; tries++) {
    const address = readHttpFile(data);
    if (address !== undefined) return address;
    await sleep(100);
  }
  return undefined;
}

type Check = (what: string, ok: boolean, detail?: string) => void;

async function acceptWay(way: string, opened: OpenHome, client: McpClient, check: Check, bin: string): Promise<void> {
  const { env, server } = opened;
  const project = toProject(way);
  mkdirSync(project, { recursive: true });
  const out = await runClient(bin, client.args(`STORY-${way} go`), { cwd: project, env: { ...env, ...client.env } });
  const all = server.requests.filter(({ route }) => route === way);
  const requests = client.search === undefined ? all : all.slice(1);
  const offered = client.search === undefined ? JSON.stringify(toTools(all[0])) : findNews(all[1], all[0]);
  const missing = TOOLS.filter(({ name }) => !offered.includes(name)).map(({ name }) => name);
  const why = all.length === 0 ? out.slice(-500) : missing.join(' ');
  check(`${way}: the model is offered ${TOOLS.length} tools`, all.length > 0 && missing.length === 0, why);
  const calls = listCalls(way, project);
  check(
    `${way}: every call was made`,
    requests.length === calls.length + 1,
    `${requests.length - 1} of ${calls.length}`,
  );
  for (const [n, request] of requests.slice(1).entries()) {
    const [tool, , answer] = calls[n] ?? ['?', {}, /^$/];
    const news = findNews(request, requests[n]);
    check(`${way}: ${tool} answers`, answer.test(news), answer.test(news) ? '' : news.slice(-300));
  }
}

function toTools(request: ModelRequest | undefined): unknown {
  return (request?.body as { readonly tools?: unknown } | undefined)?.tools ?? '';
}

function findNews(request: ModelRequest | undefined, previous: ModelRequest | undefined): string {
  const before = new Set(listTexts(previous));
  return listTexts(request)
    .filter((one) => !before.has(one))
    .join('\n')
    .replaceAll('\\"', '"');
}

/** Every text in a request. */
function listTexts(request: ModelRequest | undefined): readonly string[] {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  walk(request?.body);
  return texts;
}

async function runClient(bin: string, args: readonly string[], how: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(bin, args, { ...how, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), PATIENCE_MS);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  clearTimeout(timer);
  return `${out}\n${err}`;
}
