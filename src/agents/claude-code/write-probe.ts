/** A PreToolUse payload as Claude Code sends it, for trying the installed hook. */
export function writeProbe(command: string, cwd: string): { readonly eventName: string; readonly wire: string } {
  const eventName = 'PreToolUse';
  const payload = {
    session_id: 'oncebitten-probe',
    transcript_path: '',
    cwd,
    hook_event_name: eventName,
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'oncebitten-probe',
  };
  return { eventName, wire: `${JSON.stringify(payload)}\n` };
}
