/**
 * What a command printed before the sandbox stopped it. Codex tells it as a dump of its own error value, in which the
 * text is escaped once or twice.
 */
export interface SandboxDenial {
  readonly exitCode?: number;
  readonly text: string;
}

const MARK = /^exec_command failed[\s\S]{0,20000}?(?:Sandbox\(Denied|SandboxDenied) \{/;
const OUTPUT = /aggregated_output: StreamOutput \{ text: (\\*)"([\s\S]*?)\1", truncated_after_lines/;
const CODE = /\bexit_code: (-?\d+)/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

export function parseSandboxDenial(text: string): SandboxDenial | undefined {
  if (!MARK.test(text)) return undefined;
  const [, slashes, output] = OUTPUT.exec(text) ?? [];
  const code = Number(CODE.exec(text)?.[1] ?? Number.NaN);
  const printed = slashes === '' ? toUnescaped(output ?? '') : toUnescaped(toUnescaped(output ?? ''));
  return { ...(Number.isInteger(code) ? { exitCode: code } : {}), text: printed || text };
}

function toUnescaped(text: string): string {
  return text.replace(/\\(?:u\{([0-9a-f]{1,6})\}|([\s\S]))/g, (_all, hex: string | undefined, sign: string) =>
    hex === undefined ? (ESCAPES[sign] ?? sign) : toCharacter(Number.parseInt(hex, 16)),
  );
}

function toCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
