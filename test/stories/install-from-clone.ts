/** Installs from a copy of the bundles with a Node of its own, as a clone has after `npm ci`, and stops the daemon. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface ClonePlace {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text of Claude Code's settings file before the installation. */
  readonly settings: string;
}

/** One lesson is there afterwards: it fires on `gh pr diff` and names `gh pr diff --name-only`. */
export function installFromClone({ root, home, project, env, settings }: ClonePlace): { readonly clone: string } {
  const clone = join(root, 'clone');
  const node = join(clone, 'node_modules/node/bin/node');
  for (const dir of [dirname(node), project, join(home, '.claude')]) mkdirSync(dir, { recursive: true });
  cpSync(join(ROOT, 'dist'), join(clone, 'dist'), { recursive: true });
  copyFileSync(join(ROOT, 'package.json'), join(clone, 'package.json'));
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  writeFileSync(join(home, '.claude/settings.json'), settings);
  const cli = (...args: readonly string[]) =>
    execFileSync(node, [join(clone, 'dist/cli.mjs'), ...args], { env, cwd: project, stdio: 'pipe' });
  cli('install', 'claude-code');
  cli('lessons', 'add', '--summary', 'names only', '--fix', 'gh pr diff --name-only', '--program', 'gh pr diff');
  cli('daemon', 'stop');
  return { clone };
}
