/** Calls as the matcher sees them, from the few fields that a test is about. */
import { parseCommand } from '../../src/base/shell/parse-command.ts';
import type { MatchCall } from '../../src/match/match-call.ts';

export function makeMatchCall(fields: Partial<MatchCall>): MatchCall {
  return { tool: 'shell', commands: [], projectId: 'prj_here', sessionId: 'now', ...fields };
}

export function makeShellCall(command: string, fields: Partial<MatchCall> = {}): MatchCall {
  return makeMatchCall({ commands: parseCommand(command), ...fields });
}
