/**
 * Asks the language model behind a coding agent, through the agent's own program: finds the program by its absolute
 * path, runs it in a fresh folder of its own, and ends it and all processes that it started, by the id of their group.
 * The agent's facts say how it is called and what its output means (`base/contracts/agent-headless.ts`).
 */

import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { type AgentHeadless, CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import type { AskLimits, LanguageModel, ModelAnswer, Question } from '../../base/contracts/language-model.ts';
import { toReason } from '../../base/errors.ts';
import { dropAbsent } from '../../base/records.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface AgentPlace {
  readonly headless: AgentHeadless;
  /** The agent's home folder on this machine. */
  readonly home: string;
}

export interface Machine {
  readonly env: Environment;
  /** The user's home folder. */
  readonly home: string;
}

export function openAgentModel(agent: AgentPlace, machine: Machine, model?: string): LanguageModel {
  const { facts, program, needsAllFields = false } = agent.headless;
  return {
    name: `agent:${facts.id}`,
    needsAllFields,
    async ask(question, limits) {
      const path = findProgram(agent.headless, machine);
      if (path === undefined) {
        const reason = `${facts.name} was not found on this machine: no program ${program} on the PATH or in a usual place`;
        return { ok: false, kind: 'not-found', reason };
      }
      return inFolder(agent, (folder) => ask({ agent, machine, path, folder, question, limits, model }));
    },
  };
}

/** Folders that a project brings along: a program there is the project's, not the user's. */
const PROJECT_FOLDER = /[\\/]node_modules[\\/]/;
const USUAL_FOLDERS = [
  ...['~/.local/bin', '/usr/local/bin', '/opt/homebrew/bin', '~/.npm-global/bin', '~/.bun/bin', '~/.volta/bin'],
  ...['~/.local/share/pnpm', '~/Library/pnpm', '/usr/bin'],
];

/** The absolute path of the agent's program; undefined if it is not on this machine. */
export function findProgram({ program, places }: AgentHeadless, { env, home }: Machine): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const usual = [...places, ...USUAL_FOLDERS.map((folder) => `${folder}/${program}`)];
  const candidates = [
    ...folders.filter((folder) => !PROJECT_FOLDER.test(`${folder}/`)).map((folder) => join(folder, program)),
    ...usual.map((path) => path.replace(/^~(?=\/)/, home)),
  ];
  return candidates.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A fresh folder that only the user can read, removed afterwards with what the agent keeps under its name. */
async function inFolder(agent: AgentPlace, work: (folder: string) => Promise<ModelAnswer>): Promise<ModelAnswer> {
  const { facts, toLeftovers } = agent.headless;
  let folder: string | undefined;
  try {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-ask-')));
    return await work(folder);
  } catch (error) {
    return { ok: false, kind: 'failed', reason: `${facts.name} could not be asked (${toReason(error)})` };
  } finally {
    if (folder !== undefined) {
      const leftovers = toLeftovers?.(basename(folder)).map((path) => join(agent.home, path)) ?? [];
      for (const path of [folder, ...leftovers]) remove(path);
    }
  }
}

/** A process that is still ending may hold a file for a moment. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    // The system clears its folder of temporary files by itself.
  }
}

interface Ask {
  readonly agent: AgentPlace;
  readonly machine: Machine;
  readonly path: string;
  readonly folder: string;
  readonly question: Question;
  readonly limits: AskLimits;
  readonly model?: string | undefined;
}

async function ask({ agent, machine, path, folder, question, limits, model }: Ask): Promise<ModelAnswer> {
  const { headless, home } = agent;
  const { maxUsd } = limits;
  const { name } = headless.facts;
  const texts = readTexts(home, headless.reads);
  const run = headless.toRun({ question, folder, texts, ...dropAbsent({ model, maxUsd }) });
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  for (const [file, text] of Object.entries(run.files)) await writeText(join(folder, file), text);
  const start = (args: readonly string[], input: string): Promise<ProgramEnd> =>
    runProgram({
      path,
      args,
      input,
      folder,
      limits,
      env: {
        ...toEnvironment(machine.env, run.drop),
        ...run.env,
        TMPDIR: temporary,
        NO_COLOR: '1',
        [CHILD_VARIABLE]: '1',
      },
    });
  const check = headless.toLoginCheck?.(texts);
  const said = check && (await start(check.args, ''));
  if (said && check.no.test(said.stdout + said.stderr)) {
    return { ok: false, kind: 'not-logged-in', reason: `${name} is not logged in: ${headless.login}` };
  }
  const end = await start(run.args, run.input);
  const answer = headless.parse({ ...end, texts: readTexts(folder, headless.writes) });
  return toAnswer(name, answer, end, limits);
}

async function writeText(path: string, text: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o600 });
}

function readTexts(folder: string, names: readonly string[] = []): Readonly<Record<string, string>> {
  const read = (name: string): readonly (readonly [string, string])[] => {
    try {
      return [[name, readFileSync(join(folder, name), 'utf8')]];
    } catch {
      return [];
    }
  };
  return Object.fromEntries(names.flatMap(read));
}

/** Without variables of a running session, and without those that make a program load code of a project. */
function toEnvironment(env: Environment, drop: RegExp | undefined): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(?:NODE_OPTIONS|BASH_ENV|ENV)$/.test(name) && !drop?.test(name),
  );
  return dropAbsent(Object.fromEntries(kept)) as Readonly<Record<string, string>>;
}

/** An agent that waits for its server in vain is ended by us, but has often said why it waits. */
const TOLD_BEFORE_DEADLINE = ['rate-limit', 'not-logged-in', 'over-budget'];

function toAnswer(name: string, answer: ModelAnswer, end: ProgramEnd, { deadlineMs }: AskLimits): ModelAnswer {
  const usage = dropAbsent({ usage: answer.usage });
  switch (end.why) {
    case 'flood':
      return { ok: false, kind: 'garbage', reason: `${name} printed too much to be an answer`, ...usage };
    case 'stopped':
      return { ok: false, kind: 'failed', reason: `the question to ${name} was stopped`, ...usage };
    case 'deadline': {
      if (answer.ok || TOLD_BEFORE_DEADLINE.includes(answer.kind)) return answer;
      const hasReason = answer.kind === 'failed' && answer.reason.includes('(');
      const before = hasReason ? `; before that: ${answer.reason}` : '';
      const reason = `${name} gave no answer within ${Math.round(deadlineMs / 1000)} s${before}`;
      return { ok: false, kind: 'too-slow', reason, ...usage };
    }
    default: {
      if (answer.ok || end.code !== undefined) return answer;
      return { ok: false, kind: 'failed', reason: `${name} was ended by a signal before it answered`, ...usage };
    }
  }
}
