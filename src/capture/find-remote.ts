/** The remote that a repository is known by, from the text of its git config: `origin`, else `upstream`, else the first. */

const SECTION = /^\s*\[\s*([^\]"\s]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/;
const URL_LINE = /^\s*url\s*=\s*(.*)$/i;
const PREFERRED = ['origin', 'upstream'];

export function findRemote(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const [, section, name = '', rest] = SECTION.exec(line) ?? [];
    if (section !== undefined) remote = section.toLowerCase() === 'remote' ? name : undefined;
    const value = remote === undefined ? undefined : URL_LINE.exec(rest ?? line)?.[1];
    const url = value === undefined ? '' : toValue(value);
    // Git fetches from the first of several.
    if (remote !== undefined && url !== '' && !urls.has(remote)) urls.set(remote, url);
  }
  const [first] = urls.values();
  return PREFERRED.map((name) => urls.get(name)).find((url) => url !== undefined) ?? first;
}

/** A comment ends a value unless it stands in quotes; a backslash keeps the next character. */
function toValue(text: string): string {
  let value = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') value += text.charAt(++i);
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '#' || char === ';')) break;
    else value += char;
  }
  return value.trim();
}
