/**
 * One question to the model of OpenCode, observed in 1.18.33, as an agent without tools and plugins. Its session goes to
 * a database in the working folder. Servers of the user's configuration start, but the model is not told of their tools.
 * There is no flag for a schema. OpenCode retries a rate limit without end and says so only in its log.
 */

import type { AgentHeadless } from '../../base/contracts/agent-headless.ts';
import { dropAbsent } from '../../base/records.ts';
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

const SESSION_VARIABLES = /^OPENCODE(?:_(?:PID|ROUTE|CLIENT|WORKSPACE_ID|SERVER_\w+))?$/;

const login = 'run opencode auth login';

export const opencodeHeadless: AgentHeadless = {
  facts,
  program: 'opencode',
  places: ['~/.opencode/bin/opencode'],
  seenVersion: '1.18.33',
  login,
  toRun: ({ question, model, folder }) => ({
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
      OPENCODE_CONFIG_CONTENT: JSON.stringify(CONFIG),
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
    const told = findText(data, 'message');
    const words = [told, logged].filter((one) => one !== undefined).join('; ') || findLastLines(stderr || stdout);
    return toFailedAnswer({ facts, login }, { text: words, status: findNumber(data, 'statusCode'), usage });
  },
};

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
