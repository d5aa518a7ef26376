/**
 * One question to the model of Gemini CLI, observed in 0.61.0. Settings are given in the working folder, which must be
 * trusted by a variable: `--skip-trust` comes too late for them, and the file that `GEMINI_CLI_SYSTEM_SETTINGS_PATH`
 * names is ignored unless the administrator owns every folder above it. There is no flag for a schema. The CLI keeps
 * the session; it is removed, and its first line keeps it out of what we learn from.
 */

import type { AgentHeadless } from '../../base/contracts/agent-headless.ts';
import { dropAbsent, isRecord, parseRecord } from '../../base/records.ts';
import { findLastLines, SYSTEM_PROMPT, toFailedAnswer, toModelUsage, withSchema } from '../headless-answers.ts';
import { sumFields } from '../token-usage.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

const SYSTEM = 'system.md';
/** A name that no tool, server or file has: an empty list would mean all of them. */
const NONE = 'none';

const SETTINGS = {
  hooksConfig: { enabled: false },
  tools: { core: [NONE] },
  mcp: { allowed: [NONE] },
  model: { maxSessionTurns: 1 },
  context: { fileName: `${NONE}.md`, includeDirectoryTree: false },
  skills: { enabled: false },
  experimental: { enableAgents: false },
  general: { enableAutoUpdate: false, maxAttempts: 1, retryFetchErrors: false },
};

const SESSION_VARIABLES = /^GEMINI_(?:CLI|SESSION_ID|PROJECT_DIR)$/;

/** The exit code for every fault of a login. */
const NO_LOGIN = 41;

const login = 'run gemini and choose a login';

export const geminiHeadless: AgentHeadless = {
  facts,
  program: 'gemini',
  places: [],
  seenVersion: '0.61.0',
  login,
  toRun: ({ question, model, folder }) => ({
    args: ['--output-format', 'json', '-e', NONE, ...(model === undefined ? [] : ['-m', model]), '-p', ''],
    input: withSchema(question),
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_SYSTEM_MD: `${folder}/${SYSTEM}` },
    drop: SESSION_VARIABLES,
    files: { '.gemini/settings.json': JSON.stringify(SETTINGS), [SYSTEM]: SYSTEM_PROMPT },
  }),
  toLeftovers: (name) => ['tmp', 'history'].map((part) => `${part}/${name.toLowerCase()}`),
  parse({ code, stdout, stderr }) {
    const result = parseRecord(stdout) ?? {};
    const models = findWire(findWire(result, 'stats') ?? {}, 'models') ?? {};
    const usage = findUsage(models);
    const text = findText(result, 'response');
    if (text !== undefined) return { ok: true, text, ...dropAbsent({ model: findMainModel(models), usage }) };
    const error = findWire(result, 'error') ?? findError(stderr);
    // A program that we ended has only complained about the terminal.
    const last = code === undefined ? '' : findLastLines(stderr || stdout);
    const words = (error && findText(error, 'message')) ?? last;
    const isForm = error?.type === 'FatalTurnLimitedError' || (code === 0 && error === undefined);
    const kind = code === NO_LOGIN ? 'not-logged-in' : isForm ? 'garbage' : undefined;
    return toFailedAnswer({ facts, login }, { text: words, kind, status: error && findNumber(error, 'code'), usage });
  },
};

/** The last report among the messages, on lines of its own. */
function findError(stderr: string): Wire | undefined {
  const [from, to] = [stderr.lastIndexOf(REPORT), stderr.lastIndexOf('\n}')];
  return from < 0 || to < from ? undefined : findWire(parseRecord(stderr.slice(from, to + 2)) ?? {}, 'error');
}

const REPORT = '{\n  "session_id"';

/** A small model chooses the one that answers; both cost. */
function findUsage(models: Wire) {
  const tokens = Object.values(models).flatMap((one) => (isRecord(one) ? [findWire(one, 'tokens') ?? {}] : []));
  const add = (...keys: readonly string[]): number | undefined =>
    tokens.length === 0 ? undefined : tokens.reduce((sum, one) => sum + (sumFields(one, ...keys) ?? 0), 0);
  return toModelUsage({ inputTokens: add('prompt'), outputTokens: add('candidates', 'thoughts'), usd: undefined });
}

function findMainModel(models: Wire): string | undefined {
  const isMain = (one: unknown): boolean =>
    isRecord(one) && findWire(findWire(one, 'roles') ?? {}, 'main') !== undefined;
  return Object.entries(models).find(([, one]) => isMain(one))?.[0];
}
