/** `oncebitten lessons import`. */
import { basename } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { makeId } from '../../../base/ids.ts';
import type { Scope } from '../../../base/lesson.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { makeSecretScan } from '../../../capture/scan-secrets.ts';
import { IMPORT_FORMATS, type ImportFormat } from '../../import/candidate.ts';
import { parseImport } from '../../import/parse-import.ts';
import { planImport } from '../../import/plan-import.ts';
import { prepareImport } from '../../import/prepare-import.ts';
import { readImportText } from '../../import/read-import-text.ts';
import { saveImport } from '../../import/save-import.ts';
import { toImportReport } from '../../import/to-import-report.ts';
import { compileLessons } from '../../loop/compile-lessons.ts';
import type { CommandInput, Handler } from '../command.ts';
import { withHome } from '../open-home.ts';
import { readUserName } from '../read-user-name.ts';
import { renderImport } from '../render-import.ts';
import { UsageError } from '../usage-error.ts';

export const run: Handler = async (input) => {
  const { format, dryRun, trust } = input.options as { format?: string; dryRun?: true; trust?: true };
  const wanted = format === undefined ? undefined : getFormat(format);
  const scope = toScope(input);
  const source = await readImportText({ ...input, file: input.arguments[0] ?? '' });
  input.progress('Reading the lessons …');
  const parsed = parseImport(source, wanted);
  if (trust === true && parsed.format !== 'own')
    throw new UserError({
      subject: '--trust',
      reason: `is for your own export; ${source.name} is in the form ${parsed.format}`,
      next: 'leave it away: what comes from others is a draft until you approve it',
    });
  const at = new Date().toISOString();
  return withHome(input, async (open) => {
    const scan = makeSecretScan({ log: open.log });
    const prepared = await prepareImport(parsed, { trust: trust === true, scope, at, scan });
    const from = `${source.name === 'standard input' ? source.name : basename(source.name)} (${parsed.format})`;
    const by = readUserName(input.env);
    input.progress(`Comparing ${prepared.incoming.length} lessons with those that are there …`);
    const plan =
      dryRun === true
        ? planImport(prepared, await open.store.listLessons())
        : await saveImport(open.store, prepared, { by, at, from, command: makeId('cmd', Date.now()) });
    if (dryRun !== true && plan.saves.length > 0) await compileLessons(open);
    const report = toImportReport(plan, { parsed, file: source.name, dryRun: dryRun === true });
    return { json: report, text: renderImport(report, input.columns) };
  });
};

function getFormat(text: string): ImportFormat {
  const format = IMPORT_FORMATS.find((one) => one === text);
  if (format !== undefined) return format;
  throw new UsageError({
    subject: `format ${text}`,
    reason: 'is not a known format',
    next: `use ${IMPORT_FORMATS.join(', ')}`,
  });
}

function toScope({ options, cwd }: CommandInput): Scope | undefined {
  const { scope } = options as { scope?: string };
  if (scope === undefined) return undefined;
  if (scope === 'user') return { kind: 'user' };
  if (scope === 'project') return { kind: 'project', id: identifyProject(cwd).id };
  throw new UsageError({ subject: `scope ${scope}`, reason: 'is not a known scope', next: 'use project or user' });
}
