/** Detectors as a user may add them: one for what is true in one session only, one for a path that is not there. */
import { ABSENT_PATH } from '../../src/base/model/lesson-trust.ts';
import { toPositionals } from '../../src/base/shell/simple-command.ts';
import { makePairDetector } from '../../src/distill/episodes/make-finding.ts';

/** The search of the agent cannot be started; a command of the shell does its work. */
export const brokenSearch = makePairDetector({
  name: 'test/broken-search@1',
  kind: 'wrong-tool-use',
  maxSteps: 8,
  scope: 'session',
  signals: [],
  isCandidate: ({ tool, outcome }) => tool === 'grep' && outcome === 'failure',
  findFix({ calls, index }) {
    const later = calls.findIndex(({ tool, outcome }, at) => at > index && tool === 'shell' && outcome === 'success');
    return {
      index: later < 0 ? index : later,
      text: {
        summary: '`Grep` cannot be started in this session',
        mistake: '`Grep` failed: its program could not be started',
        remediation: 'Search with `grep`, `rg` or `find` in the shell',
        tags: ['topic:broken-search'],
      },
      triggers: { tools: ['grep', 'glob'] },
      intentKey: 'search',
      signals: later < 0 ? [] : ['error-fix-success'],
    };
  },
});

/** The last word of a failed command is a path, and nothing mended that. */
export const absentPath = makePairDetector({
  name: 'test/absent-path@1',
  kind: 'wrong-path',
  maxSteps: 0,
  signals: ['retry-loop'],
  findFix({ index, commands: [command] }) {
    const path = command && toPositionals(command).at(-1);
    if (command === undefined || path === undefined) return undefined;
    return {
      index,
      text: {
        summary: `\`${path}\` was looked for here before, more than once, and was not there`,
        mistake: `\`${command.program}\` failed again: No such file or directory`,
        remediation: `Go on without \`${path}\``,
        tags: [ABSENT_PATH],
      },
      triggers: { tools: ['shell'], reads: [path] },
    };
  },
});
