/**
 * Times are compared as text, so all must be written alike: agents differ in the length of the fraction and in the
 * zone. What is no time stays as it is; it sorts somewhere, which is better than losing the batch it came in.
 */
const ALIKE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function toTime(text: string): string {
  if (ALIKE.test(text)) return text;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}
