/**
 * One question to the model of OpenCode, observed in 1.18.33, as an agent without tools and plugins. Its session goes to
 * a database in the working folder. Servers of the user's configuration start, but the model is not told of their tools.
 * There is no flag for a schema. OpenCode retries a rate limit without end and says so only in its log.
 *
 * Without a login, OpenCode asks free models of its own service (the provider `opencode`). Nobody has chosen to send
 * anything there, so their list is emptied, unless the user has a login at that service or names one of its models.
 */

import type { AgentHeadless } from '../../base/contracts/agent-headless.ts';
import { dropAbsent, parseRecord } from '../../base/records.ts';
import {
  findLastLines,
  listRows,
  SYSTEM_PROMPT,
  toFailedAnswer,
  toModelUsage,
  withSchema,
} from '../headless-answers.ts';
import { findNumber, findText, findWire, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

const AGENT = 'oncebitten';

const CONFIG = {
  share: 'disabled',
  autoupdate: false,
  snapshot: false,
  lsp: false,
  formatter: false,
  permission: { '*': 'deny' },
  agent: {
    [AGENT]: { mode: 'primary', prompt: SYSTEM_PROMPT, tools: { '*': false }, permission: { '*': 'deny' } },
    title: { disable: true },
  },
};

/** The service of OpenCode's makers, and the file with all logins. */
const OWN_SERVICE = 'opencode';
const LOGINS = 'opencode/auth.json';
const NO_OWN_MODELS = { provider: { [OWN_SERVICE]: { whitelist: [] } } };
/** The words of OpenCode when no model is left, or not the one of its configuration. */
const NO_MODEL = /ProviderNoProvidersError|ProviderModelNotFoundError: Model not found: opencode\//;

const SESSION_VARIABLES = /^OPENCODE(?:_(?:PID|ROUTE|CLIENT|WORKSPACE_ID|SERVER_\w+))?$/;

const login = 'run opencode auth login, or name a model: oncebitten config set models.model <provider>/<model>';

export const opencodeHeadless: AgentHeadless = {
  facts,
  program: 'opencode',
  places: ['~/.opencode/bin/opencode'],
  seenVersion: '1.18.33',
  login,
  reads: [LOGINS],
  toRun: ({ question, model, folder, texts }) => ({
    args: [
      ...[
        'run',
        '--format',
        'json',
        '--pure',
        '--agent',
        AGENT,
        '--title',
        AGENT,
        '--print-logs',
        '--log-level',
        'ERROR',
      ],
      ...(model === undefined ? [] : ['-m', model]),
    ],
    input: withSchema(question),
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...CONFIG, ...(mayAskOwn(model, texts) ? {} : NO_OWN_MODELS) }),
      OPENCODE_DB: `${folder}/session.db`,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    drop: SESSION_VARIABLES,
    files: {},
  }),
  parse({ stdout, stderr }) {
    const rows = listRows(stdout);
    const parts = rows.map((row) => ({ type: row.type, part: findWire(row, 'part') ?? {} }));
    const steps = parts.filter(({ type }) => type === 'step_finish').map(({ part }) => part);
    const usage = findUsage(steps);
    const isOver = steps.at(-1)?.reason === 'stop';
    const text = findText(parts.findLast(({ type }) => type === 'text')?.part ?? {}, 'text');
    if (isOver && text !== undefined) return { ok: true, text, ...dropAbsent({ usage }) };
    if (steps.at(-1)?.reason === 'content-filter') {
      return toFailedAnswer({ facts, login }, { text: text ?? '', kind: 'refused', usage });
    }
    if (isOver) return toFailedAnswer({ facts, login }, { text: '', kind: 'garbage', usage });
    const error = findWire(rows.findLast(({ type }) => type === 'error') ?? {}, 'error');
    const data = findWire(error ?? {}, 'data') ?? {};
    const logged = [...stderr.matchAll(LOGGED)].at(-1)?.[1];
    const message = findText(data, 'message');
    const words =
      [...new Set([message, logged])].filter((one) => one !== undefined).join('; ') || findLastLines(stderr || stdout);
    const kind = NO_MODEL.test(stderr) ? 'not-logged-in' : undefined;
    const status = findNumber(data, 'statusCode');
    return toFailedAnswer({ facts, login }, { text: kind === undefined ? words : '', kind, status, usage });
  },
};

function mayAskOwn(model: string | undefined, texts: Readonly<Record<string, string>>): boolean {
  return model?.startsWith(`${OWN_SERVICE}/`) === true || OWN_SERVICE in (parseRecord(texts[LOGINS] ?? '') ?? {});
}

/** `error.error="AI_APICallError: Rate limit reached"` in a line of the log. */
const LOGGED = /\berror(?:\.error)?="((?:[^"\\\n]|\\.)*)"/g;

function findUsage(steps: readonly Wire[]) {
  if (steps.length === 0) return undefined;
  const add = (toFigure: (step: Wire) => number): number => steps.reduce((sum, step) => sum + toFigure(step), 0);
  const tokens = (step: Wire): Wire => findWire(step, 'tokens') ?? {};
  const cache = (step: Wire): Wire => findWire(tokens(step), 'cache') ?? {};
  const figure = (wire: Wire, key: string): number => findNumber(wire, key) ?? 0;
  const usd = add((step) => figure(step, 'cost'));
  return toModelUsage({
    inputTokens: add(
      (step) => figure(tokens(step), 'input') + figure(cache(step), 'read') + figure(cache(step), 'write'),
    ),
    outputTokens: add((step) => figure(tokens(step), 'output') + figure(tokens(step), 'reasoning')),
    // It says 0 where it knows no price.
    usd: usd > 0 ? usd : undefined,
  });
}
