/**
 * Our commands and our skill in each real client, from its settings folder and from our plugin: the text reaches the
 * model, the line in it works when the model runs it, the agent may run the lines that only read and must ask for the
 * others, the agent finds the skill by itself and no command of the user's, and nothing is left afterwards.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { COMMANDS } from '../../src/agents/commands.ts';
import { INSTALLS } from '../../src/agents/installs.ts';
import type { AgentCommands, CommandPlace, CommandText } from '../../src/base/contracts/agent-command.ts';
import { SESSION_COMMANDS } from '../../src/surfaces/install/session-commands.ts';
import type { Checks } from './checks.ts';
import { LEARN_CLIENTS } from './learn-clients.ts';
import { type Check, type LearnStage, type OpenHome, openLearnStage } from './learn-stage.ts';
import { makeProductCli, type ProductCli } from './make-product-cli.ts';
import { type ModelRequest, openRig, type Rig, type Script, type Turn } from './rig.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
const LESSON = 'frob sync knows no --all';
const DRAFT = 'frob pull needs a branch';
/** Typed behind a command. */
const WORDS = 'only-about-frob';
const SKILL_STORY = 'STORY-SKILL';
/** Asked for at the start of a session, so our hooks ran. */
const OPENING = 'LESSON REPORTS. When';

/** The line of each command that the model runs, and a part of its output. */
const TRIED: Readonly<Record<string, { readonly line: string; readonly says: string }>> = {
  learn: { line: 'learn --next', says: 'no failed call' },
  lessons: { line: "lessons list --search 'knows no'", says: LESSON },
  review: { line: 'lessons list --needs-review', says: DRAFT },
  add: {
    line: "lessons add --draft --summary 'frob list is slow' --fix 'frob list -q' --program 'frob list'",
    says: 'as a draft',
  },
  promote: { line: 'lessons promote list', says: 'promote' },
  stats: { line: 'stats', says: 'shown' },
};

export async function acceptCommands(name: string, checks: Checks): Promise<void> {
  const client = LEARN_CLIENTS[name];
  const agent = COMMANDS.find(({ facts }) => facts.id === client?.agent);
  if (client === undefined || agent === undefined) throw new Error(`no client ${name}`);
  const stage = openLearnStage(await openRig(name), client);
  const check = (what: string, ok: boolean, detail = ''): void =>
    checks.check(`${name}: ${what}`, ok, ok ? '' : detail);
  const program = join(stage.bin, 'oncebitten');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  chmodSync(program, 0o755);
  try {
    await acceptPlace(stage, agent, 'settings', check);
    if (INSTALLS.some(({ facts, plugin }) => facts.id === client.agent && plugin))
      await acceptPlace(stage, agent, 'plugin', check);
  } finally {
    stage.close();
  }
}

interface Story {
  readonly stage: LearnStage;
  readonly agent: AgentCommands;
  readonly place: CommandPlace;
  readonly check: Check;
  readonly home: OpenHome;
  readonly project: string;
  readonly cli: ProductCli;
}

async function acceptPlace(stage: LearnStage, agent: AgentCommands, place: CommandPlace, check: Check): Promise<void> {
  const home = await stage.open(toRoutes(stage, agent, place), false);
  const project = join(home.home, 'shop');
  mkdirSync(project);
  const cli = makeProductCli(
    () => home.home,
    () => home.env,
  );
  const say: Check = (what, ok, detail) => check(`${place}: ${what}`, ok, detail);
  const story: Story = { stage, agent, place, check: say, home, project, cli };
  try {
    await cli('lessons', 'add', '--summary', LESSON, '--fix', 'frob sync --every', '--program', 'frob sync');
    await cli('lessons', 'add', '--draft', '--summary', DRAFT, '--program', 'frob pull');
    const mine = join(toCommandFolder(story), 'mine.md');
    mkdirSync(dirname(mine), { recursive: true });
    writeFileSync(mine, 'mine');
    await load(story);
    for (const command of SESSION_COMMANDS.filter(({ isForAgent }) => !isForAgent)) await acceptCommand(story, command);
    await acceptSkill(story);
    await unload(story);
    say('a file of the user is as it was', readFileSync(mine, 'utf8') === 'mine');
  } finally {
    await cli('daemon', 'stop');
    await home.server.close();
  }
}

function toRoutes({ client }: LearnStage, agent: AgentCommands, place: CommandPlace): Script['routes'] {
  // The shell of Codex has a PATH of its own, and finds the program where the text tells it to look then.
  const program = client.agent === 'codex' ? '~/.oncebitten/bin/oncebitten' : 'oncebitten';
  const run = (line: string): Turn => ({ text: 'I run it.', tools: [client.toCall(`${program} ${line}`)] });
  const done: Turn = { text: 'Done.' };
  const commands = SESSION_COMMANDS.flatMap(({ name, text }) => {
    const tried = TRIED[name];
    if (tried === undefined) return [];
    // Nobody has said yes.
    const forbidden = name === 'review' ? [run('lessons approve frob-pull-needs-a-branch')] : [];
    return [{ name, match: toOpening(text), turns: [run(tried.line), ...forbidden, done] }];
  });
  const [skill] = Object.keys(agent.render(getSkill(), place)).map(dirname);
  const load: Turn = {
    text: 'I look it up.',
    tools: [client.toSkill(toSkillName(client.agent, place), toHomeFolder(client.agent, place, skill ?? ''))],
  };
  const turns = [load, run("explain --command 'frob sync --all'"), done];
  return [{ name: 'skill', match: SKILL_STORY, turns }, ...commands];
}

/** The first words of the text, which no other text has. */
function toOpening(text: string): string {
  return text.slice(0, 40).replaceAll(/\s+/g, '\\s+');
}

function getSkill(): CommandText {
  const skill = SESSION_COMMANDS.find(({ isForAgent }) => isForAgent);
  if (skill === undefined) throw new Error('there is no skill');
  return skill;
}

function toSkillName(agentId: string, place: CommandPlace): string {
  const { name } = getSkill();
  const hasNamespace = place === 'plugin' && (agentId === 'claude-code' || agentId === 'codex');
  return hasNamespace ? `oncebitten:${name}` : `oncebitten-${name}`;
}

/** Where Codex keeps the file of the skill. */
function toHomeFolder(agentId: string, place: CommandPlace, skill: string): string {
  if (agentId !== 'codex') return skill;
  return place === 'plugin' ? `~/.codex/plugins/cache/oncebitten/oncebitten/*/${skill}` : `~/.codex/${skill}`;
}

function toCommandFolder({ stage: { client }, home }: Story): string {
  return join(home.home, client.command?.folder ?? `.${client.agent}`, 'commands');
}

interface Written {
  readonly marketplaceDir: string;
  readonly pluginDir: string;
}

/** For the clients that can check a plugin. */
const VALIDATE: Readonly<Record<string, (written: Written) => readonly string[]>> = {
  'claude-code': ({ marketplaceDir, pluginDir }) =>
    [marketplaceDir, pluginDir].map((dir) => `claude plugin validate --strict ${dir}`),
  gemini: ({ pluginDir }) => [`gemini extensions validate ${pluginDir}`],
};

async function load({ stage, place, check, home, project, cli }: Story): Promise<void> {
  const { client, rig } = stage;
  if (place === 'settings') {
    await cli('install', client.agent, '--force');
  } else {
    const written = (await cli('install', client.agent, '--plugin', '--force')) as Written & {
      readonly load: { readonly forGood: readonly string[] };
    };
    for (const line of VALIDATE[client.agent]?.(written) ?? []) {
      const { ok, output } = await runShell(line, home);
      check(`the client finds it valid: ${line.split(' ').slice(0, 3).join(' ')}`, ok, output);
    }
    for (const line of written.load.forGood) {
      const { ok, output } = await runShell(`${line}${client.agent === 'gemini' ? ' --consent' : ''}`, home);
      check(`the client takes it: ${line.split(' ').slice(0, 4).join(' ')}`, ok, output);
    }
    const hooked = (await cli('doctor').catch((error) => JSON.parse(error.stdout))) as {
      readonly checks: readonly { readonly name: string; readonly detail: string }[];
    };
    const detail = hooked.checks.find(({ name }) => name.startsWith('hooks of '))?.detail ?? 'no check';
    check('doctor sees it', detail.includes('plugin'), detail);
  }
  if (client.agent === 'codex') await trustHooks(rig, join(home.home, '.codex'), project);
  // With `-p`, Gemini CLI puts the text of a hook at the start of a session before the prompt, and then sees no command.
  if (client.agent === 'gemini') await cli('pause');
}

async function trustHooks(rig: Rig, folder: string, project: string): Promise<void> {
  await rig.trustHooks(folder, project);
  // Of a hook in a plugin, Codex keeps two digests, and the rig writes both as one.
  const config = join(folder, 'config.toml');
  const both = /^trusted_hash = "([^"/]+)\/([^"]+)"$/gm;
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, text.replaceAll(both, 'trusted_hash = "$1"\ntrusted_content_hash = "$2"'));
}

async function runShell(line: string, { env, home }: OpenHome): Promise<{ ok: boolean; output: string }> {
  const ran = promisify(execFile)('sh', ['-c', `${line} </dev/null`], { env, cwd: home, timeout: 60_000 });
  return ran.then(
    ({ stdout, stderr }) => ({ ok: true, output: stdout + stderr }),
    (error) => ({ ok: false, output: `${error.stdout}${error.stderr}` }),
  );
}

async function acceptCommand({ stage, agent, place, check, home, project, cli }: Story, command: CommandText) {
  const { client, runClient } = stage;
  const { name, text } = command;
  if (client.command === undefined) {
    // Copilot CLI reads a typed command only in its interactive screens; without them, its list of skills shows it.
    const { output } = await runShell(`${client.program} skill list`, home);
    check(`${name}: the client lists it`, output.includes(`${agent.toTyped(name, place).slice(1)} - `), output);
    return;
  }
  await runClient(home, client.command.toArgs(`${agent.toTyped(name, place)} ${WORDS}`), project);
  const [first, second, third] = home.server.requests.filter(({ route }) => route === name);
  check(
    `${name}: its whole text reaches the model`,
    hasText(first, text),
    first === undefined ? listRoutes(home) : render(first),
  );
  check(`${name}: with the words of the user`, hasText(first, WORDS));
  check(`${name}: its line works`, hasText(second, TRIED[name]?.says ?? '?'), render(second));
  if (name !== 'review' || client.agent !== 'claude-code') return;
  const { status } = (await cli('lessons', 'show', 'frob-pull-needs-a-branch')) as { readonly status: string };
  check('review: no lesson is approved without the user', third !== undefined && status === 'draft', render(third));
}

async function acceptSkill({ stage, place, check, home, project, cli }: Story): Promise<void> {
  const { client, runClient } = stage;
  if (client.agent === 'gemini') await cli('resume');
  // The user has allowed the line and nothing else, so the skill itself must load without a permission.
  const allowed = ['--allowedTools', 'Bash(oncebitten explain:*)', '--'];
  const args = client.agent === 'claude-code' ? client.command?.toArgs(SKILL_STORY, allowed) : undefined;
  await runClient(home, args ?? client.work(SKILL_STORY), project);
  const [first, second, third] = home.server.requests.filter(({ route }) => route === 'skill');
  check('our hooks run', hasText(first, OPENING));
  const skill = getSkill();
  const name = toSkillName(client.agent, place);
  check('the skill: the agent knows of it', hasText(first, name) && hasText(first, skill.description.slice(0, 60)));
  const others = SESSION_COMMANDS.filter((one) => one !== skill && hasText(first, one.description));
  check('the agent is offered no command of the user', others.length === 0, others.map((one) => one.name).join());
  check('the skill: its whole text reaches the model', hasText(second, skill.text), render(second));
  check('the skill: its line works', hasText(third, LESSON), render(third));
}

async function unload(story: Story): Promise<void> {
  const { stage, agent, place, check, home, cli } = story;
  const { client } = stage;
  if (place === 'settings') {
    const { removedFiles } = (await cli('uninstall', client.agent)) as { readonly removedFiles: readonly string[] };
    const made = SESSION_COMMANDS.flatMap((command) => Object.keys(agent.render(command, 'settings')));
    check('uninstall removes every file', removedFiles.length === made.length && !removedFiles.some(existsSync));
    return;
  }
  const { plugin } = INSTALLS.find(({ facts }) => facts.id === client.agent) ?? {};
  const dir = join(home.home, '.oncebitten/plugin');
  const undo = plugin?.toCommands({ name: 'oncebitten', dir, pluginDir: join(dir, client.agent) }).undo ?? [];
  for (const words of undo) {
    const { ok, output } = await runShell(words.join(' '), home);
    check(`the client removes it: ${words.slice(0, 3).join(' ')}`, ok, output);
  }
  const { daemon } = (await cli('uninstall', client.agent)) as { readonly daemon: string };
  check('afterwards no agent has our hooks', daemon === 'stopped', daemon);
}

/** Clients change the white space around a text. */
function hasText(request: ModelRequest | undefined, text: string): boolean {
  const flat = (one: string): string => one.replaceAll(/(?:\\[nrt]|\s)+/g, ' ').replaceAll('\\"', '"');
  return flat(JSON.stringify(request?.body ?? '')).includes(flat(text).trim());
}

/** The last messages of a request. */
function render(request: ModelRequest | undefined): string {
  const body = (request?.body ?? {}) as Readonly<Record<string, readonly unknown[] | undefined>>;
  const { messages, input, contents } = body;
  return JSON.stringify((messages ?? input ?? contents)?.slice(-2) ?? '').slice(0, 3000);
}

function listRoutes({ server }: OpenHome): string {
  return server.requests.map((request) => `${request.route}: ${render(request)}`).join('\n');
}
