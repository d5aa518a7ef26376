/**
 * Whether a tool that is neither shell nor patch failed. A rollout does not keep Codex's own flag: there is only what
 * the model was told.
 */

/** They answer with JSON; anything else is why they could not. */
const JSON_TOOLS = new Set([
  'spawn_agent',
  'resume_agent',
  'close_agent',
  'send_input',
  'list_mcp_resources',
  'list_mcp_resource_templates',
  'read_mcp_resource',
]);

const SENTENCES = [
  /^unsupported (?:custom tool )?call: /,
  /^failed to (?:parse|serialize|get|spawn) /,
  /^[\w ./]{1,60} failed: /,
  /^unable to (?:locate|read|process|resolve) /,
  /^image path `[^`]*` is not a file/,
  /^unknown (?:turn environment|process) id /i,
  /^(?:invalid agent id|agent with id) /,
  /^collab manager unavailable/,
  /^execution error: /,
  /^[\w.]{1,60} (?:handler received unsupported payload|arguments must be an object|expects JSON arguments)/,
  /^\w{1,60} is unavailable /,
];

export function isFailureText(rawTool: string, text: string): boolean {
  if (JSON_TOOLS.has(rawTool)) return !/^\s*[{[]/.test(text) && text !== '';
  return SENTENCES.some((sentence) => sentence.test(text));
}
