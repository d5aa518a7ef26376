/** Calls as the matcher sees them, from the few fields that a test is about. */
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import type { CallView } from '../../src/base/triggers/call-view.ts';

export function makeCallView(fields: Partial<CallView>): CallView {
  return { tool: 'shell', commands: [], projectId: 'prj_here', sessionId: 'now', ...fields };
}

export function makeShellCall(command: string, fields: Partial<CallView> = {}): CallView {
  return makeCallView({ commands: parseCommand(command, ANY_SHELL), ...fields });
}
