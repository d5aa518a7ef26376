/** Whether this is the whole id of a session, as agents make them, and not only the beginning of one. */
const WHOLE = [
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  /^[\da-f]{32}$/i,
  /** `ses_` and a time with some chance behind it. */
  /^[a-z]{2,8}_[\dA-Za-z]{26}$/,
];

export function isWholeSessionId(text: string): boolean {
  return WHOLE.some((form) => form.test(text));
}
