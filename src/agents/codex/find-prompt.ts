/** What a person typed; undefined where Codex speaks to the model in the user's name. */
import { findText, type Wire } from '../wire.ts';
import { toBlocksText } from './to-end-facts.ts';

const HARNESS_TEXT =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|user_shell_command|subagent_notification|skill|INSTRUCTIONS|user_action|permissions instructions)>|# AGENTS\.md instructions)/;

/** `user_message` of a legacy file. */
export function findTypedMessage(payload: Wire): string | undefined {
  const kind = findText(payload, 'kind') ?? 'plain';
  return kind === 'plain' ? findHuman(findText(payload, 'message') ?? '') : undefined;
}

/** The item `UserMessage`. */
export function findTypedItem(item: Wire): string | undefined {
  return findHuman(toBlocksText(item.content));
}

function findHuman(text: string): string | undefined {
  return text.trim() === '' || HARNESS_TEXT.test(text) ? undefined : text;
}
