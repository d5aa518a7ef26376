/**
 * `npm run accept -- claude`: the product in the real clients, against a scripted model on loopback. Not part of
 * `npm test`: it needs the clients' own installs and the rig that runs them (`ONCEBITTEN_RIG`, else beside the project).
 */
import type { Checks } from './checks.ts';
import { makeChecks } from './checks.ts';

const CLIENTS: Readonly<Record<string, () => Promise<{ accept(checks: Checks): Promise<void> }>>> = {
  claude: () => import('./claude.ts'),
  'claude-capture': () => import('./claude-capture.ts'),
  'claude-cure': () => import('./claude-cure.ts'),
  'claude-delivery': () => import('./claude-delivery.ts'),
  'claude-plugin': () => import('./claude-plugin.ts'),
  'claude-transcript': () => import('./claude-transcript.ts'),
  codex: () => import('./codex.ts'),
  'codex-code-mode': () => import('./codex-code-mode.ts'),
  'codex-transcript': () => import('./codex-transcript.ts'),
  copilot: () => import('./copilot.ts'),
  'copilot-transcript': () => import('./copilot-transcript.ts'),
  gemini: () => import('./gemini.ts'),
  'gemini-transcript': () => import('./gemini-transcript.ts'),
  ...toLearnClients(['claude', 'codex', 'gemini', 'opencode', 'copilot']),
  opencode: () => import('./opencode.ts'),
  'opencode-transcript': () => import('./opencode-transcript.ts'),
};

function toLearnClients(names: readonly string[]): typeof CLIENTS {
  const toClient = (name: string) => async () => {
    const { acceptLearn } = await import('./learn.ts');
    return { accept: (checks: Checks) => acceptLearn(name, checks) };
  };
  return Object.fromEntries(names.map((name) => [`learn-${name}`, toClient(name)]));
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const unknown = wanted.filter((name) => !Object.hasOwn(CLIENTS, name));
if (unknown.length > 0) {
  console.error(`accept: no such client: ${unknown.join(', ')}\n  next: use ${Object.keys(CLIENTS).join(', ')}`);
  process.exit(2);
}
const checks = makeChecks();
for (const name of wanted.length > 0 ? wanted : Object.keys(CLIENTS)) {
  try {
    const client = await CLIENTS[name]?.();
    await client?.accept(checks);
  } catch (error) {
    checks.check(`${name} ran`, false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
console.log(`${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed === 0 ? 0 : 1);
