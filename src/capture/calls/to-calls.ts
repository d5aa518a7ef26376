/** Converts an event to calls as the store keeps them: first redacted, then shortened, with their signature. */
import { hash as hashOnce } from 'node:crypto';
import { INPUT_SUMMARY_CHARS, type LiveCall, OUTPUT_SUMMARY_CHARS } from '../../base/model/call.ts';
import type { AgentEvent, EndedCall, EventOrigin } from '../../base/model/event.ts';
import type { Signature } from '../../base/model/signature.ts';
import { dropAbsent } from '../../base/records.ts';
import { redact } from '../../base/secrets/redaction.ts';
import type { ShellTool } from '../../base/shell/parse-command.ts';
import type { FailedCall } from '../../base/text/signature.ts';
import { type Judgement, toDuration, toReportedCall } from '../outcomes/judge-facts.ts';
import { findMaskedError, judgeOutcome } from '../outcomes/judge-outcome.ts';

export interface CallContext {
  readonly projectId: string;
  /** Makes a signature from the redacted call and text of a failure. */
  readonly signCall: (
    call: FailedCall,
    text: string,
  ) => { readonly signature: Signature; readonly causeLine: string } | undefined;
  /** Base name of the program that a command line is about. */
  readonly toProgram: (command: string, shell: ShellTool) => string | undefined;
  /** The event has passed `cleanEvents`. Otherwise our own rules run here, but not the scanner's. */
  readonly isClean?: boolean;
}

/** One call for an ended one, several for a batch, none for any other event. */
export function toCalls(event: AgentEvent, context: CallContext): readonly LiveCall[] {
  if (event.kind === 'call-ended' || event.kind === 'background-ended') return [toCall(event, event, context)];
  return event.kind === 'batch-ended' ? event.calls.map((call) => toReportedCall(toCall(event, call, context))) : [];
}

function toCall(origin: EventOrigin, ended: EndedCall, context: CallContext): LiveCall {
  const { result } = ended;
  const clean = context.isClean === true ? same : redactText;
  const judgement = judgeOutcome(ended);
  const output = clean(result.text);
  const inputHash = hash(clean(ended.input.json));
  const command = ended.input.command === undefined ? undefined : clean(ended.input.command);
  const program = command === undefined ? undefined : context.toProgram(command, ended);
  const cause =
    judgement.outcome === 'failure'
      ? findCause(ended, toCauseText(judgement, output), { ...context, command, clean })
      : undefined;
  return {
    agent: origin.agent,
    sessionId: origin.sessionId,
    contextId: origin.contextId,
    callId: ended.callId || `${ended.tool}-${inputHash.slice(0, 12)}-${origin.at}`,
    projectId: context.projectId,
    tool: ended.tool,
    rawTool: ended.rawTool,
    ...judgement,
    ...dropAbsent({
      inputHash: isKnown(ended) ? inputHash : undefined,
      exitCode: result.exitCode,
      message: cause?.causeLine ?? toUserWords(result.denied?.words, clean),
      signature: cause?.signature,
      inputSummary: isKnown(ended)
        ? toHead(command ?? clean(ended.input.path ?? ended.input.json), INPUT_SUMMARY_CHARS)
        : undefined,
      outputSummary: isKnown(ended) || output !== '' ? toOutputSummary(output) : undefined,
      program,
      targetPath: ended.input.path === undefined ? undefined : clean(ended.input.path),
      ...toDuration(result),
      tokens: ended.tokens,
      command,
      output,
      parameters: ended.input.parameters,
      cwd: origin.cwd,
      model: origin.model,
      agentVersion: origin.agentVersion,
      evidence: toEvidence(origin),
    }),
    occurredAt: origin.at,
  };
}

/** The end of a background task does not contain its input. */
function isKnown({ input }: EndedCall): boolean {
  return input.json !== '';
}

interface CauseContext extends CallContext {
  readonly command: string | undefined;
  readonly clean: (text: string) => string;
}

/** What a command had printed before its time was over is not the cause. */
function toCauseText({ outcomeType }: Judgement, output: string): string {
  if (outcomeType !== 'timeout') return output;
  return /^.*\btimed out after \d.*$/im.exec(output)?.[0] ?? 'Command timed out';
}

/** For a masked failure, the error line, because the rest of the output comes from programs that worked. */
function findCause(ended: EndedCall, output: string, context: CauseContext) {
  const { signCall, command, clean } = context;
  const masked = ended.result.isError ? undefined : findMaskedError(ended);
  const { tool, rawTool } = ended;
  const call = { tool, rawTool, ...dropAbsent({ command, hiddenProgram: masked?.program || undefined }) };
  const cause = masked === undefined ? undefined : signCall(call, clean(masked.line));
  return cause ?? signCall(call, output);
}

/** The user's comment on a refusal. */
function toUserWords(words: string | undefined, clean: (text: string) => string): string | undefined {
  return words === undefined ? undefined : toHead(clean(words), OUTPUT_SUMMARY_CHARS);
}

/** PostgreSQL rejects NUL in a text, and a secret must not hide behind one. */
function redactText(text: string): string {
  return redact(text.replaceAll('\0', ''));
}

function same(text: string): string {
  return text;
}

function hash(redactedInput: string): string {
  return hashOnce('sha256', redactedInput);
}

/** Both ends: a program prints its subject first and its error last. */
function toOutputSummary(output: string): string {
  if (output.length <= OUTPUT_SUMMARY_CHARS) return output;
  const half = Math.floor((OUTPUT_SUMMARY_CHARS - 3) / 2);
  return `${toHead(output, half)}\n…\n${output.slice(-half).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Does not cut a surrogate pair, because half of one is not valid text. */
function toHead(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

function toEvidence({ transcriptPath, line }: EventOrigin): LiveCall['evidence'] {
  return transcriptPath === undefined || line === undefined ? undefined : { file: transcriptPath, line };
}
