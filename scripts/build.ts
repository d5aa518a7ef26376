/**
 * Bundles `dist/`. Without `--force` it returns at once when nothing changed, so every npm script may call it.
 * `dist/build.json` holds the version, the inputs of the hot-path bundle, which the boundary test reads, and the outputs.
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { build as buildPages } from 'vite';
import { buildSmall } from './shrink-parser.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, 'build.json');
/** Built beside and moved into place: whatever runs from `dist` meanwhile finds it whole. */
const NEXT = join(ROOT, `dist-${process.pid}`);
const SURFACES = join(ROOT, 'src/surfaces');

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** CommonJS: loading built-in modules through the ESM loader costs 3 ms of a 23 ms start. Any Node from 18. */
const HOOK = {
  ...COMMON,
  entryPoints: { hook: join(SURFACES, 'hook/hook-main.ts'), 'hook-body': join(SURFACES, 'hook/run-hook.ts') },
  outdir: NEXT,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  target: 'node18',
} satisfies BuildOptions;

/** They run on an old Node too: they say that it is too old, or find a newer one. */
const LAUNCHERS = {
  ...COMMON,
  entryPoints: {
    oncebitten: join(SURFACES, 'launch/launch-command.ts'),
    daemon: join(SURFACES, 'launch/launch-daemon.ts'),
  },
  outdir: NEXT,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  target: 'node18',
} satisfies BuildOptions;

const APP = {
  ...COMMON,
  outdir: NEXT,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  splitting: true,
  // A third less to parse at every start. Names stay: stack traces in a report tell where something failed.
  minifyWhitespace: true,
  target: 'node22.18',
  external: ['pg-native'],
  // A variable must not make pg load another driver from wherever Node finds one.
  define: { 'process.env.NODE_PG_FORCE_NATIVE': 'undefined' },
  // jsonc-parser's main file is UMD, which does not survive bundling; its module file does.
  mainFields: ['module', 'main'],
  // Packages that are CommonJS inside (pg, commander) call require for built-in modules.
  banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
} satisfies BuildOptions;

const COMMANDS = {
  ...APP,
  entryPoints: {
    cli: join(SURFACES, 'cli/main.ts'),
    // For processes that run many commands: the tests.
    'run-command-line': join(SURFACES, 'cli/run-command-line.ts'),
    // A thread of the daemon that runs commands.
    http: join(SURFACES, 'http/http-main.ts'),
  },
} satisfies BuildOptions;

/** Apart from the commands: code that each command shares with some others would be a hundred files to load. */
const DAEMON = {
  ...APP,
  entryPoints: {
    daemon: join(SURFACES, 'daemon/daemon-main.ts'),
    worker: join(SURFACES, 'daemon/worker-main.ts'),
    reader: join(ROOT, 'src/loop/scan/reader-main.ts'),
  },
} satisfies BuildOptions;

/** Runs inside an agent's own process, on Node or Bun. */
const PROGRAM = {
  ...COMMON,
  entryPoints: { program: join(SURFACES, 'hook/program-main.ts') },
  outdir: NEXT,
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  target: 'node18',
} satisfies BuildOptions;

async function main(): Promise<void> {
  if (!process.argv.includes('--force') && isFresh()) return;
  mkdirSync(NEXT, { recursive: true });
  try {
    await bundle();
  } finally {
    // Of a build that failed.
    rmSync(NEXT, { recursive: true, force: true });
  }
}

async function bundle(): Promise<void> {
  const [hook] = await Promise.all([
    buildSmall(HOOK),
    build(LAUNCHERS),
    build(PROGRAM),
    build(COMMANDS),
    build(DAEMON),
    buildDashboard(),
  ]);
  copyFileSync(join(SURFACES, 'launch/find-node.sh'), join(NEXT, 'find-node'));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const facts = {
    version: `${version}+${hashOutput()}`,
    hookInputs: listInputs(hook.metafile),
    outputs: listOutputs(),
  };
  writeFileSync(join(NEXT, 'build.json'), `${JSON.stringify(facts, null, 2)}\n`);
  swap();
}

/** The pages that the daemon serves. */
async function buildDashboard(): Promise<void> {
  const configFile = join(SURFACES, 'dashboard/bundling.ts');
  await buildPages({ configFile, build: { outDir: join(NEXT, 'dashboard') } });
}

function swap(): void {
  const old = `${NEXT}-old`;
  if (existsSync(DIST)) renameSync(DIST, old);
  renameSync(NEXT, DIST);
  rmSync(old, { recursive: true, force: true });
}

function listInputs(metafile: Metafile): readonly string[] {
  return Object.keys(metafile.inputs).sort();
}

function listOutputs(): readonly string[] {
  return listFiles(NEXT).map((file) => relative(NEXT, file));
}

/** A changed bundle is another version: the running daemon is then replaced. */
function hashOutput(): string {
  const hash = createHash('sha256');
  for (const file of listFiles(NEXT)) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 8);
}

function isFresh(): boolean {
  try {
    const builtAt = statSync(STAMP).mtimeMs;
    const inputs = [
      ...listFiles(join(ROOT, 'src')),
      join(ROOT, 'package-lock.json'),
      ...listFiles(import.meta.dirname),
    ];
    return isWhole() && inputs.every((file) => statSync(file).mtimeMs < builtAt);
  } catch {
    return false;
  }
}

/** Somebody may have cleared the bundles away and left the stamp. */
function isWhole(): boolean {
  const { outputs } = JSON.parse(readFileSync(STAMP, 'utf8')) as { readonly outputs?: readonly string[] };
  return outputs?.every((name) => existsSync(join(DIST, name))) ?? false;
}

function listFiles(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

await main();
