/** Calls as the matcher sees them, from the few fields that a test needs. */
import { type CallView, toWrittenView } from '../../src/base/triggers/call-view.ts';

export function makeCallView(fields: Partial<CallView>): CallView {
  return { tool: 'shell', commands: [], projectId: 'prj_here', sessionId: 'now', ...fields };
}

export function makeShellCall(command: string, fields: Partial<CallView> = {}): CallView {
  const { commands, line } = toWrittenView('shell', { command });
  return makeCallView({ commands, line, ...fields });
}
