/** What the class of a failure is judged by: the command of the line that failed, its output, and what worked later. */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import type { Signature } from '../../../base/model/signature.ts';
import { dropAbsent } from '../../../base/records.ts';
import { findCheck, findFailingCommand } from '../../../base/shell/intent.ts';
import { parseCommand } from '../../../base/shell/parse-command.ts';
import { isLooking } from '../../../base/shell/program-kinds.ts';
import { hasTrait } from '../../../base/shell/programs/all-facts.ts';
import type { CheckKind } from '../../../base/shell/programs/vocabulary.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import type { FailureClass } from '../../../base/statistics/failures.ts';

/** A failed call. The store keeps less of it than a session has in memory. */
export type Failure = { readonly tool: string; readonly signature?: Pick<Signature, 'program' | 'template'> } & Partial<
  Pick<
    LiveCall,
    | ('rawTool' | 'command' | 'program' | 'intentKey' | 'targetPath' | 'parameters' | 'cwd' | 'projectRoot')
    | ('outcome' | 'outcomeType' | 'exitCode' | 'hung' | 'message' | 'output')
  >
>;

export interface Facts {
  readonly failure: Failure;
  readonly category: string;
  readonly message: string;
  readonly output: string;
  /** The command of the line that failed. */
  readonly failed?: SimpleCommand;
  readonly check?: CheckKind;
  /** It shows files, logs or pages, and any text may be among them. */
  readonly isShowing: boolean;
  /** Calls after it that worked. */
  readonly worked: readonly LiveCall[];
}

/** Undefined where it cannot tell. */
export type Rule = (facts: Facts) => FailureClass | undefined;

export function toFacts(failure: Failure, category: string, next: readonly LiveCall[]): Facts {
  const { message = '', output = message, intentKey = '' } = failure;
  const failed = findFailed(failure);
  const [, kind] = /^check (\w+)/.exec(intentKey) ?? [];
  const check = (failed && findCheck(failed)) ?? (kind as CheckKind | undefined);
  const isShowing =
    failed !== undefined && check === undefined && (isLooking(failed) || hasTrait(failed, 'shows', 'http'));
  const worked = next.filter(hasWorked);
  return { failure, category, message, output, worked, isShowing, ...dropAbsent({ failed, check }) };
}

function findFailed(failure: Failure): SimpleCommand | undefined {
  const { rawTool = '', command, program = failure.signature?.program ?? '', message = '' } = failure;
  if (command !== undefined) return findFailingCommand(parseCommand(command, { rawTool }), message);
  return program === '' ? undefined : { program, args: [], text: program };
}
