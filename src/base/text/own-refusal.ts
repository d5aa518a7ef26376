/**
 * The first words of our refusals. Agents report every hook's refusal as an error of the call; these words identify
 * ours, so that it is counted neither as a failure nor as the user's refusal.
 */
export const OWN_REFUSAL = 'Oncebitten held this call back';

/** Longer than any text that an agent puts before a hook's reason. */
const MAX_PREFIX_CHARS = 200;

export function isOwnRefusal(text: string): boolean {
  return text.slice(0, MAX_PREFIX_CHARS + OWN_REFUSAL.length).includes(OWN_REFUSAL);
}
