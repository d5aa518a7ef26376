/** One installation in a process of its own: options as JSON in, result or error as a line out. */
import { type HookInstallation, installHooks } from '../../src/surfaces/install/install-hooks.ts';

const [json = ''] = process.argv.slice(2);
try {
  // Starting a process takes longer than installing: all wait for the same moment so that they do meet.
  const { startAt = 0, ...options } = JSON.parse(json) as HookInstallation & { startAt?: number };
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, startAt - Date.now() - 20));
  while (Date.now() < startAt);
  process.stdout.write(`${JSON.stringify(installHooks(options))}\n`);
} catch (thrown) {
  process.stdout.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
}
