/**
 * How a refusal of ours begins. Agents report every hook's refusal alike, as an error of the call: by these words ours is
 * told apart, so that it is counted neither as a failure nor as the user's refusal.
 */
export const OWN_REFUSAL = 'Oncebitten held this call back';

/** What an agent puts before a hook's reason is shorter. */
const MAX_PREFIX_CHARS = 200;

export function isOwnRefusal(text: string): boolean {
  return text.slice(0, MAX_PREFIX_CHARS + OWN_REFUSAL.length).includes(OWN_REFUSAL);
}
