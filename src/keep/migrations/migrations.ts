/**
 * The list of all migrations, in order. Each store records the names that ran in it, so entries are added at the end
 * and never edited, renamed or removed once landed.
 */
import type { Migration } from 'kysely';
import {
  errorLog,
  failuresBySignature,
  intentsAndProcesses,
  rememberedCalls,
  signatures,
  textAge,
  tokens,
  toolOutcomes,
} from './calls.ts';
import { addedTexts, attempts, deliveries, deliveryItems, feedback, oldVerdicts, outcomes } from './deliveries.ts';
import {
  cures,
  episodes,
  findings,
  lessonCommands,
  lessonHistory,
  lessons,
  promotions,
  selfReports,
} from './lessons.ts';
import { projectAliases, projectLinks, projects } from './projects.ts';
import { forgotten, scanMemo, scanOpen, scanState, scanTail, sessions } from './sessions.ts';
import { signaturesAgain } from './sign-again.ts';

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
  '0039-cures': cures,
  '0041-remembered-calls': rememberedCalls,
  '0042-signatures-again': signaturesAgain,
  '0043-signatures-again': signaturesAgain,
};
