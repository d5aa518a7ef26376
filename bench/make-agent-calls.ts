/** The calls of a bench as another agent tells its hooks of them: commands, in sessions of its own. */
import type { AgentAdapter } from '../src/base/contracts/agent-adapter.ts';
import type { HookCall } from './make-hook-calls.ts';

/** The name that a probe gives to everything that has an id. */
const PROBE = 'oncebitten-probe';

/** `calls`: of Claude Code. An edit becomes a command that writes the same text. */
export function makeAgentCalls(
  { facts, writeProbe }: AgentAdapter,
  calls: readonly HookCall[],
  cwd: string,
): readonly HookCall[] {
  return calls.map(({ sessionId, payload, ...call }, n) => {
    const { command, content, new_string } = JSON.parse(payload).tool_input;
    const { wire } = writeProbe(command ?? `cat > notes.md <<'EOF'\n${content ?? new_string}\nEOF`, cwd);
    const ownId = `${facts.id}-${sessionId}`;
    const own = wire.replace(`"tool_use_id":"${PROBE}"`, `"tool_use_id":"call-${n}"`).replaceAll(PROBE, ownId);
    return { ...call, sessionId: ownId, payload: own };
  });
}
