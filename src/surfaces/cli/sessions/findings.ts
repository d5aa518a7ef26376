/** `oncebitten sessions findings`: what detectors saw, and what came of it. */

import type { Store } from '../../../base/contracts/store.ts';
import { FINDING_VERDICTS, type FindingFilter, type ListedFinding } from '../../../base/model/finding.ts';
import { dropAbsent } from '../../../base/records.ts';
import { renderTextRemoval } from '../../../base/storage/retention.ts';
import { findChoice, toCallFilter } from '../arguments/options.ts';
import type { CommandInput, Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { renderRest, toPage } from '../paging.ts';
import { renderTable } from '../table.ts';
import { renderNoneYet, toLine } from '../text.ts';

const FINDINGS_LISTED = 50;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const page = toPage(await store.listFindings(await toFilter(input, store)), input.options, FINDINGS_LISTED);
    if (page.items.length > 0)
      return { json: page, text: [render(page.items, input.columns), ...renderRest(page)].join('\n') };
    const isAny = (await store.listFindings({ limit: 1 })).length > 0;
    return { json: page, text: isAny ? NONE_LIKE_IT : renderNoneYet('findings', (await store.countAll()).sessions) };
  });

const NONE_LIKE_IT = 'No findings match these filters. See all: oncebitten sessions findings';

async function toFilter(input: CommandInput, store: Store): Promise<FindingFilter> {
  const verdict = findChoice('--verdict', input.options.verdict, FINDING_VERDICTS);
  return { ...(await toCallFilter(input, store)), ...dropAbsent({ verdict }) };
}

function render(findings: readonly ListedFinding[], columns: number | undefined): string {
  const rows = findings.map(({ at, verdict, kind, failed, reason, lesson, textRemoved }) => [
    at.slice(0, 10),
    verdict,
    kind,
    failed === undefined ? `(${toAbsence(kind, textRemoved)})` : toLine(failed),
    lesson === undefined ? reason : `${lesson}: ${reason}`,
  ]);
  return renderTable(['DATE', 'BECAME', 'KIND', 'FAILED CALL', 'REASON'], rows, { columns, texts: [3, 4] });
}

function toAbsence(kind: ListedFinding['kind'], removal: ListedFinding['textRemoved']): string {
  if (removal !== undefined) return renderTextRemoval(removal);
  return kind === 'self-reported' ? 'words of the agent' : 'no text stored';
}
