/**
 * Every change of the tables, in order. A name is written into each store it ran in: entries are added at the end
 * and never edited, renamed or removed once landed.
 */
import type { Migration } from 'kysely';
import { projects } from './0001-projects.ts';
import { sessions } from './0002-sessions.ts';
import { signatures } from './0003-signatures.ts';
import { toolOutcomes } from './0004-tool-outcomes.ts';
import { errorLog } from './0005-error-log.ts';
import { episodes } from './0006-episodes.ts';
import { lessons } from './0007-lessons.ts';
import { lessonHistory } from './0008-lesson-history.ts';
import { deliveries } from './0009-deliveries.ts';
import { scanState } from './0010-scan-state.ts';
import { intentsAndProcesses } from './0015-intents-and-processes.ts';
import { forgotten } from './0020-forgotten.ts';
import { scanMemo } from './0021-scan-memo.ts';
import { projectAliases } from './0022-project-aliases.ts';
import { failuresBySignature } from './0023-failures-by-signature.ts';
import { findings } from './0024-findings.ts';
import { selfReports } from './0025-self-reports.ts';
import { lessonCommands } from './0026-lesson-commands.ts';
import { scanTail } from './0027-scan-tail.ts';
import { promotions } from './0028-promotions.ts';
import { outcomes } from './0029-outcomes.ts';
import { feedback } from './0030-feedback.ts';
import { scanOpen } from './0031-scan-open.ts';
import { attempts } from './0032-attempts.ts';
import { textAge } from './0033-text-age.ts';
import { deliveryItems } from './0034-delivery-items.ts';
import { projectLinks } from './0035-project-links.ts';
import { tokens } from './0036-tokens.ts';
import { addedTexts } from './0037-added-texts.ts';
import { oldVerdicts } from './0038-old-verdicts.ts';

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-projects': projects,
  '0002-sessions': sessions,
  '0003-signatures': signatures,
  '0004-tool-outcomes': toolOutcomes,
  '0005-error-log': errorLog,
  '0006-episodes': episodes,
  '0007-lessons': lessons,
  '0008-lesson-history': lessonHistory,
  '0009-deliveries': deliveries,
  '0010-scan-state': scanState,
  '0015-intents-and-processes': intentsAndProcesses,
  '0020-forgotten': forgotten,
  '0021-scan-memo': scanMemo,
  '0022-project-aliases': projectAliases,
  '0023-failures-by-signature': failuresBySignature,
  '0024-findings': findings,
  '0025-self-reports': selfReports,
  '0026-lesson-commands': lessonCommands,
  '0027-scan-tail': scanTail,
  '0028-promotions': promotions,
  '0029-outcomes': outcomes,
  '0030-feedback': feedback,
  '0031-scan-open': scanOpen,
  '0032-attempts': attempts,
  '0033-text-age': textAge,
  '0034-delivery-items': deliveryItems,
  '0035-project-links': projectLinks,
  '0036-tokens': tokens,
  '0037-added-texts': addedTexts,
  '0038-old-verdicts': oldVerdicts,
};
