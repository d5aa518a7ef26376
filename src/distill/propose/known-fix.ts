/**
 * A lesson for the next call that fails in the same way: how an agent got past the failure. No trigger has to tell the
 * mistake from the call alone, because the lesson is shown with the error. It stands last in the list of detectors: a
 * lesson that fires before the call is better.
 */

import type { Finding } from '../../base/model/finding.ts';
import { toCommandName } from '../../base/shell/command-words.ts';
import { maskObjects } from '../../base/shell/object-kind.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import type { Detector } from '../detector.ts';
import { type CuredCall, findCures } from '../episodes/find-cures.ts';
import { makeFinding } from '../episodes/make-finding.ts';
import { SUMMARY_CHARS, toMistake, toSentence } from '../text/edit-text.ts';

const NAME = 'distill/known-fix@1';
const SAID_CHARS = 140;
const FIX_CHARS = 120;

export const knownFix: Detector = {
  name: NAME,
  detect: (window) => findCures(window).flatMap((cured) => toFinding(cured) ?? []),
};

function toFinding({ cure, failing, fixing, failed, steps }: CuredCall): Finding | undefined {
  const name = failed === undefined ? failing.rawTool : toCommandName(failed);
  const how = cure.text;
  const said = failing.message ?? '';
  const mistake =
    failed === undefined
      ? `\`${failing.rawTool}\` failed: ${toShortChars(maskObjects(said), SAID_CHARS)}`
      : toMistake(failed, said);
  const summary = `When \`${name}\` fails like this, ${how}`;
  return makeFinding({
    ...{ detector: NAME, kind: 'known-fix', failing, fixing, steps, intentKey: `${name} fails` },
    text: {
      ...{ summary: summary.length <= SUMMARY_CHARS ? summary : mistake, mistake, remediation: toSentence(how) },
      tags: [
        `tool:${failed?.program ?? failing.rawTool}`,
        isGeneral(cure.text) ? 'topic:known-fix' : 'topic:project-fix',
      ],
      ...(cure.edit === undefined ? {} : { edit: cure.edit }),
      example: { mistake, fix: toShortChars(fixing.command ?? fixing.rawTool, FIX_CHARS) || fixing.rawTool },
    },
    triggers: { tools: [failing.tool], failure: true },
    signals: ['error-fix-success'],
  });
}

/** Nothing in it is of one project: no path, no name of a file. */
function isGeneral(text: string): boolean {
  return !/`[^`]*[/.][^`]*`/.test(text);
}
