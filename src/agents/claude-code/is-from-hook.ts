/**
 * Rows of a transcript that hold what a hook said: attachments, and results of calls that a hook refused. Inside a text
 * quotes are escaped, so that no output can look like one of the first; one that begins like the second is not told apart.
 */
const ATTACHED = '"type":"attachment"';
const REFUSED = /"content":"(?:Hook )?PreToolUse:\S+ (?:hook error|denied this tool)/;

export function isFromHook(line: string): boolean {
  return line.includes(ATTACHED) || REFUSED.test(line);
}
