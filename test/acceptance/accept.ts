/**
 * `npm run accept -- claude`: the product in the real clients, against a scripted model on loopback. Not part of
 * `npm test`: it needs the clients' own installs and the rig that runs them (`ONCEBITTEN_RIG`, else beside the project).
 */
import type { Checks } from './checks.ts';
import { makeChecks } from './checks.ts';

const ALL = ['claude', 'codex', 'gemini', 'opencode', 'copilot'];

const CLIENTS: Readonly<Record<string, () => Promise<{ accept(checks: Checks): Promise<void> }>>> = {
  claude: () => import('./claude.ts'),
  'claude-capture': () => import('./claude-capture.ts'),
  'claude-cure': () => import('./claude-cure.ts'),
  'claude-delivery': () => import('./claude-delivery.ts'),
  'claude-plugin': () => import('./claude-plugin.ts'),
  'claude-transcript': () => import('./claude-transcript.ts'),
  'codex-code-mode': () => import('./codex-code-mode.ts'),
  'codex-transcript': () => import('./codex-transcript.ts'),
  'copilot-transcript': () => import('./copilot-transcript.ts'),
  'gemini-transcript': () => import('./gemini-transcript.ts'),
  ...toStories(
    '',
    ['codex', 'gemini', 'opencode', 'copilot'],
    async () => (await import('./hooked-client.ts')).acceptHooks,
  ),
  ...toStories('commands-', ALL, async () => (await import('./commands.ts')).acceptCommands),
  ...toStories('learn-', ALL, async () => (await import('./learn.ts')).acceptLearn),
  mcp: () => import('./mcp.ts'),
  'opencode-transcript': () => import('./opencode-transcript.ts'),
};

type Story = (client: string, checks: Checks) => Promise<void>;

/** A story that these clients can tell. */
function toStories(prefix: string, names: readonly string[], load: () => Promise<Story>): typeof CLIENTS {
  const toClient = (name: string) => async () => {
    const accept = await load();
    return { accept: (checks: Checks) => accept(name, checks) };
  };
  return Object.fromEntries(names.map((name) => [`${prefix}${name}`, toClient(name)]));
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
