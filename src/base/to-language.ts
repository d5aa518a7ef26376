/** One name for each language, whatever people call it in tags. */

const ALIASES: Readonly<Record<string, string>> = {
  py: 'python',
  python3: 'python',
  js: 'javascript',
  node: 'javascript',
  nodejs: 'javascript',
  ts: 'typescript',
  golang: 'go',
  rs: 'rust',
  rb: 'ruby',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  'f#': 'fsharp',
  kt: 'kotlin',
};

export function toLanguage(name: string): string {
  const plain = name.toLowerCase();
  return Object.hasOwn(ALIASES, plain) ? (ALIASES[plain] ?? plain) : plain;
}
