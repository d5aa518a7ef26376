import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { build } from 'esbuild';
import { ROOT, readImportGraph, toLayer } from './read-import-graph.ts';

const files = readImportGraph();
const STAGES = ['agents', 'capture', 'distill', 'keep', 'match', 'measure', 'promote'];
const SHELL_PARSER = 'unbash';
/** Asks the running process for it when the first regular expression runs: nothing loads it before. */
const REGEX_ENGINE = 'src/base/triggers/regex.ts -> node:v8';
/** Codex's scripts are JavaScript, which only a parser reads. Past sessions alone need it. */
const SCRIPTS = 'src/agents/codex/scripts/';
const SCRIPT_PARSER = 'acorn';

const BUNDLE = {
  absWorkingDir: ROOT,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  outdir: 'unused',
  write: false,
  metafile: true,
  splitting: true,
} as const;

const offences = (isOffence: (from: string, to: string) => boolean): readonly string[] =>
  files.flatMap((file) => file.imports.filter((to) => isOffence(file.path, to)).map((to) => `${file.path} -> ${to}`));

const none = (found: readonly string[], reason: string): void =>
  assert.deepEqual(found, [], `${reason}\n  ${found.join('\n  ')}\n`);

describe('the layers', () => {
  it('are base, the stages, the loop that joins them, and surfaces', () => {
    const folders = new Set(files.map((file) => toLayer(file.path)));
    assert.deepEqual(
      [...folders].sort(),
      [...STAGES, 'base', 'loop', 'surfaces'].sort(),
      '`ls src` tells the story; a new folder must be a stage, a seam or a way in',
    );
  });

  it('let imports run surfaces -> loop -> stages -> base only', () => {
    const toRank = (layer: string): number =>
      ['base', 'stage', 'loop', 'surfaces'].indexOf(STAGES.includes(layer) ? 'stage' : layer);
    const isOffence = (from: string, to: string): boolean => {
      if (!to.startsWith('src/')) return false;
      const [a, b] = [toLayer(from), toLayer(to)];
      return a !== b && toRank(a) <= toRank(b);
    };
    none(
      offences(isOffence),
      'Stages never import each other: they meet in loop/, which passes what they need as arguments.',
    );
  });

  it('keep base free of everything but the pure shell parser', () => {
    const isForeign = (from: string, to: string): boolean =>
      toLayer(from) === 'base' && !to.startsWith('src/base/') && to !== SHELL_PARSER;
    none(
      offences(isForeign).filter((one) => one !== REGEX_ENGINE),
      'base/ is shared by the hook, the scanner and the tests: a node: module or a package there would be loaded by all of them.',
    );
  });

  it('keep match and agents free of packages', () => {
    none(
      offences(
        (from, to) =>
          ['match', 'agents'].includes(toLayer(from)) &&
          !to.startsWith('src/') &&
          !to.startsWith('node:') &&
          !(from.startsWith(SCRIPTS) && to === SCRIPT_PARSER),
      ),
      'match/ and agents/ run while an agent waits: no packages but the shell parser, which base wraps. The reader of scripts may use its parser, because it is loaded only for past sessions with scripts.',
    );
  });

  it('load the reader of scripts only when there is a script to read', async () => {
    const { metafile } = await build({ ...BUNDLE, entryPoints: [join(ROOT, 'src/agents/codex/history.ts')] });
    const ways = Object.entries(metafile.inputs)
      .filter(([from]) => !from.startsWith(SCRIPTS))
      .flatMap(([from, { imports }]) => imports.map((one) => ({ from, ...one })))
      .filter(({ path }) => path.startsWith(SCRIPTS));
    assert.deepEqual(
      ways.map(({ kind }) => kind),
      ['dynamic-import'],
      'Sessions without scripts must not pay for a JavaScript parser: reach it by import() in nested-calls.ts only.',
    );
  });

  it('keep learning and the store out of the thread of the daemon that answers hooks', async () => {
    const entry = 'src/surfaces/daemon/daemon-main.ts';
    const { metafile } = await build({ ...BUNDLE, entryPoints: [join(ROOT, entry)] });
    const loaded = Object.keys(metafile.inputs);
    assert.ok(loaded.includes('src/loop/deliver.ts'));
    none(
      loaded.filter((path) => path.startsWith('src/distill/') || path === 'src/keep/store/make-store.ts'),
      'The worker thread learns and stores. Here it would only make every start of the daemon slower.',
    );
  });

  it('have no import cycles', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) return void cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path)) return;
      for (const to of byPath.get(path)?.imports ?? []) if (byPath.has(to)) walk(to, [...trail, path]);
      done.add(path);
    };
    for (const file of files) walk(file.path, []);
    none(cycles, 'A cycle means two files are one thing, or a third is missing.');
  });

  it('are read from the real graph: every import that the bundler sees is in it', async () => {
    const entries = files.map((file) => join(ROOT, file.path));
    const { metafile } = await build({ ...BUNDLE, entryPoints: entries, target: 'esnext' });
    const missing = files.flatMap((file) =>
      (metafile.inputs[file.path]?.imports ?? [])
        .filter((one) => !one.external && !file.imports.includes(one.path))
        .map((one) => `${file.path} -> ${one.path}`),
    );
    none(missing, 'The import pattern of read-import-graph.ts misses these; the other layer tests are blind to them.');
  });
});
