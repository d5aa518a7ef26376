/**
 * Types of records in Copilot CLI's log that tell of nothing we use, from the schema that comes with 1.0.102 and from
 * recordings. A type that is neither here nor read is reported.
 */
const NAMES: Readonly<Record<string, string>> = {
  assistant: `fusion_phase_completed fusion_phase_failed reasoning turn_end turn_start`,
  external_tool: `requested`,
  hook: `end start`,
  human_response: `recorded`,
  mcp: `oauth_recovery_completed`,
  permission: `assentDetected carriedForward contextualAuthorization messageAuthorization
    messageAuthorizationDegraded messageAuthorizationRead`,
  session: `auto_mode_resolved autopilot_objective_changed binary_asset canvas.recorded canvas.removed
    completion_receipt context_cleared error fusion_change_checkpoint fusion_commit_started fusion_completed
    fusion_handoff fusion_resolved fusion_route_failed handoff info mode_changed mode_notice_delivered
    model_deselected permission_recovery permissions_changed plan_changed remote_steerable_changed
    request_body_compression_disabled schedule_cancelled schedule_created schedule_rearmed session_limits_changed
    task_complete truncation usage_checkpoint usage_record warning workspace_file_changed`,
  skill: `context_delivered context_delivered_ref invoked invoked_ref`,
  subagent: `configured deselected selected`,
  system: `message`,
  tool: `user_requested`,
  tool_search: `activated`,
};

const UNUSED: ReadonlySet<string> = new Set(
  Object.entries(NAMES).flatMap(([family, names]) => names.split(/\s+/).map((name) => `${family}.${name}`)),
);

/** `model.*` is in no schema: the traffic with the model while it writes a summary, told again by what follows it. */
export function isUnused(type: string): boolean {
  return UNUSED.has(type) || type.startsWith('model.');
}
