/**
 * One question to the model of Copilot CLI, observed in 1.0.102. A settings file in the trusted working folder switches
 * all hooks off, those of the user too. Servers of the user's configuration start, but the model is not told of their
 * tools. There is no flag for a schema. The CLI keeps the session; its first line keeps it out of what we learn from.
 */

import type { AgentHeadless } from '../../base/contracts/agent-headless.ts';
import { dropAbsent, isRecord, parseRecord } from '../../base/records.ts';
import { findLastLines, listRows, toFailedAnswer, toModelUsage, withSchema } from '../headless-answers.ts';
import { sumFields } from '../token-usage.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

const USAGE = 'usage.json';
/** A name that no tool has. */
const NONE = 'none';
const SESSION_VARIABLES = /^COPILOT_(?:AGENT|SESSION)_\w+$/;

/** The CLI's own words in place of an answer. */
const BLOCKED = /^The model returned no content because the response was blocked/;

const login = 'run copilot and type /login';

export const copilotHeadless: AgentHeadless = {
  facts,
  program: 'copilot',
  places: [],
  seenVersion: '1.0.102',
  login,
  writes: [USAGE],
  toRun: ({ question, model, folder }) => ({
    args: [
      ...['--output-format', 'json', '--trust-folder', '--no-ask-user', '--no-custom-instructions', '--no-color'],
      ...['--available-tools', NONE, '--disable-builtin-mcps', '--no-remote-export', '--no-auto-update'],
      ...['--log-level', 'none', '--usage-output-file', `${folder}/${USAGE}`],
      ...(model === undefined ? [] : ['--model', model]),
    ],
    input: withSchema(question),
    env: {},
    drop: SESSION_VARIABLES,
    files: { '.github/copilot/settings.json': JSON.stringify({ disableAllHooks: true }) },
  }),
  parse({ stdout, stderr, texts }) {
    const rows = listRows(stdout).map((row) => ({ type: row.type, data: findWire(row, 'data') ?? row }));
    const usage = findUsage(parseRecord(texts[USAGE] ?? '') ?? {});
    const find = (type: string): Wire | undefined => rows.findLast((row) => row.type === type)?.data;
    const [error, message, result] = [find('session.error'), find('assistant.message'), find('result')];
    const text = message && findText(message, 'content');
    if (text !== undefined && BLOCKED.test(text))
      return toFailedAnswer({ facts, login }, { text, kind: 'refused', usage });
    if (text !== undefined && error === undefined && result?.exitCode === 0) {
      return { ok: true, text, ...dropAbsent({ model: message && findText(message, 'model'), usage }) };
    }
    if (error === undefined && result?.exitCode === 0) {
      return toFailedAnswer({ facts, login }, { text: '', kind: 'garbage', usage });
    }
    const retry = find('assistant.turn_retry');
    const words =
      (error && findText(error, 'message')) ?? (retry && findText(retry, 'reason')) ?? findLastLines(stderr);
    return toFailedAnswer({ facts, login }, { text: words, status: error && findNumber(error, 'statusCode'), usage });
  },
};

function findUsage(wire: Wire) {
  const models = Object.values(findWire(wire, 'modelMetrics') ?? {});
  const all = models.flatMap((one) => (isRecord(one) ? [findWire(one, 'usage') ?? {}] : []));
  const add = (key: string): number | undefined =>
    all.length === 0 ? undefined : all.reduce((sum, one) => sum + (sumFields(one, key) ?? 0), 0);
  return toModelUsage({ inputTokens: add('inputTokens'), outputTokens: add('outputTokens'), usd: undefined });
}
