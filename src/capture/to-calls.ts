/** The calls that an event tells as they are kept: redacted first, then shortened, with their signature. */
import { createHash } from 'node:crypto';
import { INPUT_SUMMARY_CHARS, type LiveCall, OUTPUT_SUMMARY_CHARS } from '../base/call.ts';
import type { AgentEvent, EndedCall, EventOrigin, StartedCall } from '../base/event.ts';
import { redact } from '../base/redact.ts';
import type { Signature } from '../base/signature.ts';
import { judgeOutcome } from './judge-outcome.ts';

export interface CallContext {
  readonly projectId: string;
  /** Of the program (or tool) and the redacted text of a failure. */
  readonly toSignature: (
    program: string,
    text: string,
  ) => { readonly signature: Signature; readonly causeLine: string } | undefined;
  /** Base name of the first program of a command. */
  readonly toProgram: (command: string) => string | undefined;
}

/** One call for an ended one, several for a batch, none for any other event. */
export function toCalls(event: AgentEvent, context: CallContext): readonly LiveCall[] {
  if (event.kind === 'call-ended') return [toCall(event, event, context)];
  return event.kind === 'batch-ended' ? event.calls.map((call) => toCall(event, call, context)) : [];
}

function toCall(origin: EventOrigin, ended: EndedCall, context: CallContext): LiveCall {
  const { result } = ended;
  const judgement = judgeOutcome(ended);
  const output = clean(result.text);
  const inputHash = hash(clean(ended.input.json));
  const command = ended.input.command === undefined ? undefined : clean(ended.input.command);
  const program = command === undefined ? undefined : context.toProgram(command);
  const cause = judgement.outcome === 'failure' ? context.toSignature(program ?? ended.tool, output) : undefined;
  return {
    agent: origin.agent,
    sessionId: origin.sessionId,
    contextId: origin.contextId,
    callId: ended.callId || `${ended.tool}-${inputHash.slice(0, 12)}-${origin.at}`,
    projectId: context.projectId,
    tool: ended.tool,
    rawTool: ended.rawTool,
    ...judgement,
    inputHash,
    ...withoutAbsent({
      exitCode: result.exitCode,
      message: cause?.causeLine,
      signature: cause?.signature,
      inputSummary: toInputSummary(ended, command),
      outputSummary: toOutputSummary(output),
      program,
      targetPath: ended.input.path === undefined ? undefined : clean(ended.input.path),
      durationMs: result.durationMs,
      durationSource: result.durationMs === undefined ? undefined : ('agent' as const),
      command,
      output,
      cwd: origin.cwd,
      model: origin.model,
      agentVersion: origin.agentVersion,
      evidence: toEvidence(origin),
    }),
    occurredAt: origin.at,
  };
}

/** PostgreSQL takes no NUL in a text, and a secret must not hide behind one. */
function clean(text: string): string {
  return redact(text.replaceAll('\0', ''));
}

function hash(redactedInput: string): string {
  return createHash('sha256').update(redactedInput).digest('hex');
}

function toInputSummary({ input }: StartedCall, command: string | undefined): string {
  return toHead(command ?? clean(input.path ?? input.json), INPUT_SUMMARY_CHARS);
}

/** Both ends: what a program was asked stands first, why it gave up last. */
function toOutputSummary(output: string): string {
  if (output.length <= OUTPUT_SUMMARY_CHARS) return output;
  const half = Math.floor((OUTPUT_SUMMARY_CHARS - 3) / 2);
  return `${toHead(output, half)}\n…\n${output.slice(-half).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Not in the middle of a character: half of one is no valid text. */
function toHead(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

function toEvidence({ transcriptPath, line }: EventOrigin): LiveCall['evidence'] {
  return transcriptPath === undefined || line === undefined ? undefined : { file: transcriptPath, line };
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
