/**
 * A tool of the agent that cannot be started in this session any more; the shell does its work instead. Told at once: where
 * that is known from an earlier session, nobody has to find it out again (`know-cure.ts`).
 */
import type { ToolName } from '../../../base/model/tool.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toShortCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 8;
const UNSTARTED = /\bE(?:NOENT|ACCES)\b[^\n]{0,40}\b(?:posix_)?spawn\b|\bspawn \S+ E(?:NOENT|ACCES)\b/;
const SEARCHES: readonly ToolName[] = ['grep', 'glob'];
/** The message names the program by its path: the one that both run. */
const SHARED = /spawn '\//;

export const brokenTool = makePairDetector({
  name: 'distill/broken-tool@1',
  kind: 'wrong-tool-use',
  maxSteps: MAX_STEPS,
  scope: 'session',
  signals: [],
  isTrouble: ({ tool, outcome, output }) =>
    SEARCHES.includes(tool) && outcome === 'failure' && UNSTARTED.test(output ?? ''),
  findCure(trouble) {
    const { calls, index, call } = trouble;
    const tools = SHARED.test(call.output ?? '') ? SEARCHES : [call.tool];
    const isBack = calls.some(({ tool, outcome }, at) => at > index && tools.includes(tool) && outcome === 'success');
    if (isBack) return undefined;
    const later = findLater(trouble, MAX_STEPS, ({ program }) => isKnownAs(program, 'searches', 'finds'));
    const example = later === undefined ? '' : `, as in \`${toShortCommand(later.command, 60)}\``;
    return {
      index: later?.index ?? index,
      text: {
        summary: `\`${call.rawTool}\` cannot be started in this session: search with the shell${example}`,
        mistake: `\`${call.rawTool}\` failed: its program could not be started`,
        remediation:
          later === undefined
            ? 'Search with `grep`, `rg` or `find` in the shell'
            : `Search with the shell, as in \`${toShortCommand(later.command, 120)}\``,
        tags: ['topic:broken-tool'],
      },
      triggers: { tools },
      intentKey: tools === SEARCHES ? 'search' : `search ${call.tool}`,
      signals: later === undefined ? [] : ['error-fix-success', ...later.signals],
    };
  },
});
