/** A file of the project under a name that the error itself puts right. Paths that were only guessed teach nothing. */
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toPathGlob } from './to-path-glob.ts';
import { toProjectPath } from './to-project-path.ts';

const MAX_STEPS = 4;
const MEANT = /does not exist\..*Did you mean ([^\s?]+)\?/i;

export const misnamedFile = makePairDetector({
  name: 'distill/misnamed-file@1',
  kind: 'wrong-path',
  maxSteps: MAX_STEPS,
  isTrouble: ({ tool, outcome, targetPath }) => tool === 'read' && outcome === 'failure' && targetPath !== undefined,
  findCure(trouble) {
    const { call, calls, index } = trouble;
    const meant = MEANT.exec(call.output ?? '')?.[1];
    const [wrong, right] = [toProjectPath(call.targetPath ?? '', call), toRenamed(call.targetPath ?? '', meant)];
    if (wrong === undefined || right === undefined || existsLater(trouble)) return undefined;
    const fixed = calls.findIndex((one, at) => at > index && one.targetPath === right && one.outcome === 'success');
    const rightName = toProjectPath(right, call);
    const glob = toPathGlob(calls, call, wrong);
    if (fixed < 0 || rightName === undefined || glob === undefined) return undefined;
    return {
      index: fixed,
      text: {
        summary: `There is no \`${wrong}\` here: the file is \`${rightName}\``,
        mistake: `Reading \`${wrong}\` failed: the file does not exist`,
        remediation: `Read \`${rightName}\``,
        tags: ['topic:repository-layout'],
      },
      triggers: { tools: ['read'], paths: [glob] },
      intentKey: `read ${wrong}`,
      signals: ['fix-confirmed'],
    };
  },
});

function toRenamed(path: string, meant: string | undefined): string | undefined {
  // Nobody should be led to a file of secrets.
  if (meant === undefined || /(?:^|\/)\.env(?:\.|$)/.test(meant)) return undefined;
  return meant.includes('/') ? meant : `${path.slice(0, path.lastIndexOf('/') + 1)}${meant}`;
}

/** It is written in this session: it was only too early. */
function existsLater({ calls, call }: Trouble): boolean {
  return calls.some(({ targetPath, outcome }) => targetPath === call.targetPath && outcome === 'success');
}
