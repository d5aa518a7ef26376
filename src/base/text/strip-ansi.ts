/** Removes terminal escapes and applies carriage returns, which gives the text that a person would have read. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are control characters
const ESCAPE = /\u001b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

export function stripAnsi(text: string): string {
  const plain = text.includes('\u001b') ? text.replace(ESCAPE, '') : text;
  return plain.includes('\r') ? plain.replace(/\r+\n/g, '\n').replace(/[^\n]*\r/g, '') : plain;
}
