/**
 * Whether a text has a command that fetches a package by its name and runs it. An ordinary fix where it was seen to work; from a
 * file that anybody may have written it is a download that is run.
 */
const RUNNERS: readonly RegExp[] = [
  // Only what is installed already: `--no`, `--no-install`.
  /\b(?:npx|bunx|pnpx|uvx)\s+(?!(?:-\S+\s+)*--no(?:-install)?\s)(?:-\S+\s+)*["']?[\w@]/i,
  /\b(?:pnpm|yarn)\s+(?:-\S+\s+)*dlx\s+\S/i,
  /\b(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:exec|x|create|init)\s+(?:-\S+\s+)*["']?[\w@]/i,
  /\b(?:pipx|uv\s+tool)\s+run\s+(?:-\S+\s+)*["']?\w/i,
  /\bdeno\s+run\s+(?:-\S+\s+)*["']?(?:npm|jsr):/i,
  /\bgo\s+run\s+(?:-\S+\s+)*["']?[\w-]+\.[\w.-]+\/\S/i,
  /\bnix\s+(?:run|shell)\s+\S/i,
];

export function runsPackage(text: string): boolean {
  const plain = text.normalize('NFKC');
  return RUNNERS.some((pattern) => pattern.test(plain));
}
