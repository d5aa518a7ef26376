/** Any value as JSON. Throws for nothing: an input nested deeper than the stack is as good as none. */
export function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return '';
  }
}
