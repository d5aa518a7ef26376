/**
 * The rows of a Codex rollout, and the kinds of rows that we know and do not use. The reader reports a kind that it
 * neither reads nor finds here, because then the format has grown. Every field may be missing: it is other people's
 * software.
 */

import { findNumber, findText, findWire, type Wire } from '../wire.ts';

/** One line of a rollout. */
export interface RowWire {
  /** `response_item/function_call`, `event_msg/item_completed/CommandExecution`, `turn_context` … */
  readonly kind: string;
  readonly at: string | undefined;
  /** The position in the thread, if its history is paginated. */
  readonly ordinal: number | undefined;
  readonly payload: Wire;
}

export function findRow(row: Wire): RowWire | undefined {
  const type = findText(row, 'type');
  if (type === undefined) return undefined;
  const payload = findWire(row, 'payload') ?? {};
  return { kind: toKind(type, payload), at: findText(row, 'timestamp'), ordinal: findNumber(row, 'ordinal'), payload };
}

function toKind(type: string, payload: Wire): string {
  if (type !== 'response_item' && type !== 'event_msg') return type;
  const name = findText(payload, 'type') ?? '?';
  if (name !== 'item_completed') return `${type}/${name}`;
  return `${type}/${name}/${findText(findWire(payload, 'item') ?? {}, 'type') ?? '?'}`;
}

/** By the beginning of the kind. */
const UNUSED_NAMES: Readonly<Record<string, string>> = {
  '': `world_state token_usage_record security_risk_score inter_agent_communication
    inter_agent_communication_metadata mcp_resource_origins`,
  'response_item/': `reasoning agent_message additional_tools compaction compaction_summary compaction_trigger
    context_compaction ghost_snapshot other`,
  // The rows of a call repeat most of these.
  'event_msg/': `agent_message agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break background_event
    collab_agent_interaction_end collab_agent_spawn_end collab_close_end collab_resume_end collab_waiting_end
    context_compacted deprecation_notice dynamic_tool_call_request entered_review_mode error exited_review_mode
    image_generation_end model_reroute plan_update stream_error sub_agent_activity thread_goal_updated
    thread_name_updated thread_rolled_back thread_settings_applied turn_diff undo_completed undo_started
    view_image_tool_call warning web_search_end`,
  'event_msg/item_completed/': `AgentMessage ContextCompaction EnteredReviewMode ExitedReviewMode Extension
    HookPrompt ImageGeneration Plan Reasoning Sleep SubAgentActivity WebSearch`,
};

const UNUSED: ReadonlySet<string> = new Set(
  Object.entries(UNUSED_NAMES).flatMap(([prefix, names]) => names.split(/\s+/).map((name) => prefix + name)),
);

export function isUnusedKind(kind: string): boolean {
  return UNUSED.has(kind);
}

const HEAD =
  /^\{"timestamp":"[^"]{0,40}",(?:"ordinal":\d{1,12},)?"type":"(\w{1,60})","payload":\{(?:"type":"(\w{1,60})")?/;
const ITEM = /"item":\{"type":"(\w{1,60})"/;
const ROLE = /"role":"(\w{1,20})"/;
const HEAD_CHARS = 400;

/**
 * May the line contain an event? Decided by its first bytes, before it is parsed, because most of a rollout is
 * thinking, token counts and Codex's own messages to the model. In doubt, yes.
 */
export function mayMatter(text: string): boolean {
  const head = HEAD.exec(text.length > HEAD_CHARS ? text.slice(0, HEAD_CHARS) : text);
  const [whole, type, name] = head ?? [];
  if (whole === undefined || type === undefined) return true;
  if (name === undefined) return !UNUSED.has(type) && !isOldReasoning(text);
  const rest = text.slice(whole.length, HEAD_CHARS);
  if (name === 'item_completed') return !UNUSED.has(`${type}/${name}/${ITEM.exec(rest)?.[1]}`);
  if (name === 'message') return (ROLE.exec(rest)?.[1] ?? 'assistant') === 'assistant';
  return !UNUSED.has(`${type}/${name}`);
}

/** Old builds wrote the type of a thought after the thought. */
function isOldReasoning(text: string): boolean {
  return text.endsWith('"type":"reasoning"}}');
}
