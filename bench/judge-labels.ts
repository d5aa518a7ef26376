/**
 * Which labels a set of lessons meets: a lesson whose evidence (at most 40 lines) overlaps the label's lines and whose
 * trigger fires on the labelled call, which is the first call of those lines.
 */
import type { LiveCall } from '../src/base/model/call.ts';
import type { Lesson } from '../src/base/model/lesson.ts';
import { type CallView, toCallView } from '../src/base/triggers/call-view.ts';
import { makeSecretScan } from '../src/capture/secrets/scan-secrets.ts';
import { judgeTriggers } from '../src/keep/manifest/compiled-triggers.ts';
import { makeDigester } from '../src/loop/digest-events.ts';
import { readSteps } from '../src/loop/replay/read-sessions.ts';
import type { Label } from './read-labels.ts';

const MAX_EVIDENCE_LINES = 40;

export interface JudgedLabel {
  readonly label: Label;
  readonly call: CallView | undefined;
  /** Of the lessons about these lines, those that fire on the call. */
  readonly firing: readonly Lesson[];
  /** Those that do not. */
  readonly silent: readonly Lesson[];
  /** The call where we took it for a failure. */
  readonly failed: LiveCall | undefined;
}

export async function judgeLabels(
  labels: readonly Label[],
  lessons: readonly Lesson[],
  trackedTools: readonly string[],
): Promise<readonly JudgedLabel[]> {
  const judged: JudgedLabel[] = [];
  for (const [file, ofFile] of Map.groupBy(labels, (label) => label.file)) {
    const calls = await findLabelledCalls(file, ofFile, trackedTools);
    for (const label of ofFile) {
      const found = calls.get(label.id);
      const about = lessons.filter((lesson) => isAbout(lesson, label));
      const firing = about.filter((lesson) => found !== undefined && fires(lesson, found.call));
      const silent = about.filter((lesson) => !firing.includes(lesson));
      judged.push({ label, call: found?.call, firing, silent, failed: found?.failed });
    }
  }
  return judged;
}

interface LabelledCall {
  readonly call: CallView;
  readonly failed: LiveCall | undefined;
}

async function findLabelledCalls(
  path: string,
  labels: readonly Label[],
  trackedTools: readonly string[],
): Promise<ReadonlyMap<string, LabelledCall>> {
  const scan = makeSecretScan({ log: () => {} });
  const found = new Map<string, LabelledCall & { readonly line: number }>();
  await readSteps(
    { agent: labels[0]?.agent ?? '', path },
    {
      makeDigest: () => makeDigester({ trackedTools: () => trackedTools, scan }),
      onStep: ({ asked, call }) => {
        const line = asked?.line;
        if (asked === undefined || line === undefined) return;
        for (const { id, lines } of labels) {
          const known = found.get(id);
          if (line < lines[0] || line > lines[1] || (known !== undefined && known.line <= line)) continue;
          const matched = toCallView(asked, call?.projectId ?? '');
          found.set(id, { line, call: matched, failed: call?.outcome === 'failure' ? call : undefined });
        }
      },
    },
  );
  return found;
}

function isAbout({ evidence }: Lesson, { file, lines: [from, to] }: Label): boolean {
  return evidence.some((one) => {
    if (one.file !== file || one.lines === undefined) return false;
    const [first, last] = one.lines;
    return last - first < MAX_EVIDENCE_LINES && first <= to && last >= from;
  });
}

function fires({ triggers }: Lesson, call: CallView): boolean {
  return judgeTriggers(triggers, call).holds;
}
