/** A file that is too large to be read whole. The lesson is silent where a part is asked for. */
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toPathGlob } from './to-path-glob.ts';
import { toProjectPath } from './to-project-path.ts';

const MAX_STEPS = 6;
const TOO_LARGE =
  /exceeds (?:the )?max(?:imum)?(?: allowed)? (?:tokens|size|file size)|file (?:is )?too (?:large|big)/i;
/** What agents call the parameters of a part. */
const PART = '"(?:offset|limit|start_line|end_line|view_range|pages)" *:';

export const largeFile = makePairDetector({
  name: 'distill/large-file@1',
  kind: 'wrong-tool-use',
  maxSteps: MAX_STEPS,
  isTrouble: ({ tool, outcome, targetPath }) => tool === 'read' && outcome === 'failure' && targetPath !== undefined,
  findCure({ call, calls, index }) {
    const path = toProjectPath(call.targetPath ?? '', call);
    const glob = toPathGlob(calls, call, path);
    if (path === undefined || glob === undefined || !TOO_LARGE.test(call.output ?? '')) return undefined;
    const isPart = (at: number): boolean =>
      at > index && calls[at]?.tool === 'read' && calls[at]?.targetPath === call.targetPath;
    const fixed = calls.findIndex((one, at) => isPart(at) && one.outcome === 'success');
    if (fixed < 0) return undefined;
    return {
      index: fixed,
      text: {
        summary: `\`${path}\` is too large to be read whole: read a part of it, or search it`,
        mistake: `Reading all of \`${path}\` failed: it is over the limit`,
        remediation: `Read \`${path}\` with an offset and a limit`,
        tags: ['topic:large-file'],
      },
      triggers: { tools: ['read'], paths: [glob], input: { unless: [PART] } },
      intentKey: `read ${path}`,
      signals: ['fix-confirmed'],
    };
  },
});
