/**
 * Converts an event to the facts that may be written to disk at once (see `base/model/fact.ts`), with tokens removed
 * from folder paths. HOT: this runs in the hook, where every rule costs time.
 */

import { type Call, toDuration, toReportedCall } from '../../base/model/call.ts';
import { type AgentEvent, type EndedCall, hasWorked } from '../../base/model/event.ts';
import { FACT_VERSION, type Fact, type FactOrigin } from '../../base/model/fact.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import type { SecretRule } from '../../base/secrets/secret-rule.ts';
import { listSecretTokens, makeDiscordToken } from '../../base/secrets/token-rules.ts';
import { type Judgement, judgeFacts } from '../outcomes/judge-facts.ts';

export function toFacts(event: AgentEvent, projectId: string): readonly Fact[] {
  const origin = toOrigin(event);
  switch (event.kind) {
    case 'call-ended':
    case 'background-ended':
      return [{ ...origin, kind: 'call', how: 'observed', call: toBareCall(event, event, projectId) }];
    case 'batch-ended':
      return event.calls.map((call) => ({
        ...origin,
        kind: 'call',
        how: 'hearsay',
        call: toReportedCall(toBareCall(event, call, projectId)),
      }));
    case 'session-ended':
      return [{ ...origin, kind: 'ended', reason: redactPath(event.reason) }];
    default:
      return [{ ...origin, kind: 'seen' }];
  }
}

function toOrigin({ agent, sessionId, at, cwd, pid, host, transcriptPath }: AgentEvent): FactOrigin {
  return {
    v: FACT_VERSION,
    agent,
    sessionId,
    at,
    ...(cwd === undefined ? {} : { cwd: redactPath(cwd) }),
    ...dropAbsent({ pid, host, transcriptPath }),
  };
}

function toBareCall(event: AgentEvent, ended: EndedCall, projectId: string): Call {
  const { result } = ended;
  return {
    agent: event.agent,
    sessionId: event.sessionId,
    contextId: event.contextId,
    callId: ended.callId,
    projectId,
    // The names of MCP servers and their tools come from outside.
    tool: redactPath(ended.tool) as ToolName,
    rawTool: redactPath(ended.rawTool),
    ...toCautious(judgeFacts(ended)),
    ...dropAbsent({ exitCode: result.exitCode }),
    ...toDuration(result),
    occurredAt: event.at,
  };
}

/** The hook does not look for hidden failures, so it leaves that to the daemon, whichever comes first. */
function toCautious(judgement: Judgement): Judgement {
  const isDone = hasWorked(judgement);
  return isDone && judgement.outcomeType !== 'background' ? { ...judgement, outcomeType: 'no-error' } : judgement;
}

const LONG_NAME = /(?=[^/\\]{0,80}\d)[^/\\]{11,}|[^/\\]{16,}/;

let tokens: readonly SecretRule[] | undefined;

/**
 * Removes tokens from a folder path. Only token formats are checked, because nobody names a folder `password=…`, and only
 * names that are long enough for one.
 */
export function redactPath(path: string): string {
  if (!LONG_NAME.test(path)) return path;
  tokens ??= [...listSecretTokens(), makeDiscordToken()];
  return tokens
    .filter(({ hints }) => hints.some((hint) => path.includes(hint)))
    .reduce((text, { kind, pattern }) => text.replace(pattern, `[redacted:${kind}]`), path);
}
