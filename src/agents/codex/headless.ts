/**
 * One question to the model of Codex, observed in 0.166.0. Features are switched off by `-c`, because `--disable` fails
 * for a name that another version does not know. Codex cannot leave out all servers of the user's configuration at once,
 * so each one is named; without the configuration, users with their own model providers could not ask. `apply_patch` stays,
 * and the sandbox rejects what it writes.
 */

import type { AgentHeadless } from '../../base/contracts/agent-headless.ts';
import { dropAbsent } from '../../base/records.ts';
import { findLastLines, listRows, toFailedAnswer, toModelUsage } from '../headless-answers.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

const CONFIG = 'config.toml';
const SCHEMA = 'schema.json';
/** All that runs, reads, or calls something. */
const FEATURES = ['hooks', 'shell_tool', 'unified_exec', 'plugins', 'apps', 'multi_agent', 'goals', 'memories'];
const MORE_FEATURES = ['view_image', 'image_generation', 'browser_use', 'computer_use'];
/** Set for the commands of a running session. */
const SESSION_VARIABLES = /^CODEX_(?:SANDBOX|THREAD|SESSION|INTERNAL|MANAGED)\w*$/;

const OWN_PROVIDER = /^[ \t]*(?:model_provider|profile)[ \t]*=/m;

const login = 'run codex login';

export const codexHeadless: AgentHeadless = {
  facts,
  program: 'codex',
  places: [],
  seenVersion: '0.166.0',
  login,
  needsAllFields: true,
  reads: [CONFIG],
  // A provider of the user's own has a key of its own.
  toLoginCheck: (texts) =>
    OWN_PROVIDER.test(texts[CONFIG] ?? '') ? undefined : { args: ['login', 'status'], no: /^Not logged in/m },
  toRun: ({ question, model, texts }) => ({
    args: [
      ...['exec', '--json', '--color', 'never', '--ephemeral', '--ignore-rules', '--skip-git-repo-check'],
      ...['-s', 'read-only', '--output-schema', SCHEMA, '-c', 'web_search="disabled"'],
      ...[...FEATURES, ...MORE_FEATURES].flatMap((name) => ['-c', `features.${name}=false`]),
      ...toServerArgs(texts[CONFIG] ?? ''),
      ...(model === undefined ? [] : ['-m', model]),
      '-',
    ],
    input: question.prompt,
    env: {},
    drop: SESSION_VARIABLES,
    files: { [SCHEMA]: JSON.stringify(question.schema) },
  }),
  parse({ stdout, stderr }) {
    const rows = listRows(stdout);
    const usage = findUsage(rows);
    const failed = rows.findLast(({ type }) => type === 'turn.failed' || type === 'error');
    const isOver = rows.some(({ type }) => type === 'turn.completed');
    if (isOver) {
      const items = rows.flatMap((row) => (row.type === 'item.completed' ? [findWire(row, 'item') ?? {}] : []));
      const text = findText(items.findLast(({ type }) => type === 'agent_message') ?? {}, 'text');
      if (text !== undefined) return { ok: true, text, ...dropAbsent({ usage }) };
      return toFailedAnswer({ facts, login }, { text: '', kind: 'garbage', usage });
    }
    const words = failed && (findText(findWire(failed, 'error') ?? {}, 'message') ?? findText(failed, 'message'));
    return toFailedAnswer({ facts, login }, { text: words ?? findLastLines(stderr), usage });
  },
};

/** `[mcp_servers.name]`, also with a table below it. */
const SERVER = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*([^\]\s.]+)/gm;
/** Any other way to write them. */
const OTHER_SERVER = /^[ \t]*(?:mcp_servers[ \t]*[.=]|\[[ \t]*(?:"mcp_servers"|'mcp_servers'|mcp_servers[ \t]*\]))/m;
const PLAIN_NAME = /^[\w-]+$/;

/** A model that reads text from outside must not reach a server that acts. */
function toServerArgs(config: string): readonly string[] {
  const names = new Set([...config.matchAll(SERVER)].map(([, name = '']) => name));
  if (OTHER_SERVER.test(config) || [...names].some((name) => !PLAIN_NAME.test(name))) return ['--ignore-user-config'];
  return [...names].flatMap((name) => ['-c', `mcp_servers.${name}.enabled=false`]);
}

function findUsage(rows: readonly Wire[]) {
  const usage = findWire(rows.findLast(({ type }) => type === 'turn.completed') ?? {}, 'usage') ?? {};
  // Cached tokens are a part of the input.
  return toModelUsage({
    inputTokens: findNumber(usage, 'input_tokens'),
    outputTokens: findNumber(usage, 'output_tokens'),
    usd: undefined,
  });
}
