/** Whether a call is a run of somebody's hook, which the agent records, and no call of the agent itself. */
export const HOOK_TOOL_PREFIX = 'hook:';

export function isHookRun(told: object): boolean {
  return 'rawTool' in told && typeof told.rawTool === 'string' && told.rawTool.startsWith(HOOK_TOOL_PREFIX);
}
