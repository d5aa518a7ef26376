/**
 * One question to Claude Code's model, observed in 2.1.325. `--json-schema` needs 2.1.205. Safe mode leaves out the
 * user's instructions, skills and plugins, and keeps login, model and the variables of the user's settings; older
 * versions ignore its variable. `--bare` would lose the login of subscribers.
 */

import type { AgentHeadless } from '../../base/contracts/agent-headless.ts';
import type { ModelUsage } from '../../base/contracts/language-model.ts';
import { dropAbsent } from '../../base/records.ts';
import { findLastLines, listRows, SYSTEM_PROMPT, toFailedAnswer, toModelUsage } from '../headless-answers.ts';
import { sumFields } from '../token-usage.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

/** A session sets these for the programs that it runs. Logins and other providers have variables of the same prefix. */
const SESSION_VARIABLES =
  /^(?:CLAUDECODE|CLAUDE_(?:PID|EFFORT|ENV_FILE|PROJECT_DIR|PLUGIN_\w+)|CLAUDE_CODE_(?!USE_|SKIP_|OAUTH_|API_|CLIENT_|CERT_|PROXY_)\w+)$/;

/** One answer, and two more where the model forgets the form. */
const MAX_TURNS = '3';

const login = 'run claude and type /login';

export const claudeCodeHeadless: AgentHeadless = {
  facts,
  program: 'claude',
  places: ['~/.claude/local/claude'],
  seenVersion: '2.1.325',
  login,
  toRun: ({ question, model, maxUsd }) => ({
    args: [
      ...['-p', '--output-format', 'json', '--json-schema', JSON.stringify(question.schema)],
      ...['--tools', '', '--strict-mcp-config', '--settings', '{"disableAllHooks":true}'],
      ...['--no-session-persistence', '--max-turns', MAX_TURNS, '--system-prompt', SYSTEM_PROMPT],
      ...(model === undefined ? [] : ['--model', model]),
      ...(maxUsd === undefined ? [] : ['--max-budget-usd', String(maxUsd)]),
    ],
    input: question.prompt,
    env: {
      ...{ CLAUDE_CODE_SAFE_MODE: '1', CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1', DISABLE_AUTOUPDATER: '1' },
      // It tries ten times by itself, which takes longer than our deadline.
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
    drop: SESSION_VARIABLES,
    files: {},
  }),
  parse({ stdout, stderr }) {
    const result = listRows(stdout).findLast(({ type }) => type === 'result');
    if (result === undefined) return toFailedAnswer({ facts, login }, { text: findLastLines(stderr || stdout) });
    const usage = findUsage(result);
    const answer = result.structured_output === undefined ? result.result : JSON.stringify(result.structured_output);
    if (result.is_error !== true && typeof answer === 'string' && result.stop_reason !== 'refusal') {
      return { ok: true, text: answer, ...dropAbsent({ model: findModel(result), usage }) };
    }
    const errors = Array.isArray(result.errors) ? result.errors.join(' ') : '';
    const text = findText(result, 'result') ?? errors;
    const kind = result.stop_reason === 'refusal' ? 'refused' : KINDS[findText(result, 'subtype') ?? ''];
    return toFailedAnswer({ facts, login }, { text, kind, status: findNumber(result, 'api_error_status'), usage });
  },
};

const KINDS = {
  error_max_budget_usd: 'over-budget',
  error_max_turns: 'garbage',
  error_max_structured_output_retries: 'garbage',
} as Readonly<Record<string, 'over-budget' | 'garbage' | undefined>>;

function findUsage(result: Wire): ModelUsage | undefined {
  const usage = findWire(result, 'usage') ?? {};
  const inputTokens = sumFields(usage, 'input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens');
  const usd = findNumber(result, 'total_cost_usd');
  return toModelUsage({ inputTokens, outputTokens: findNumber(usage, 'output_tokens'), usd });
}

function findModel(result: Wire): string | undefined {
  return Object.keys(findWire(result, 'modelUsage') ?? {})[0];
}
