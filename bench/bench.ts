/** `npm run bench -- <name> [--json]`: runs one measure of the product. Names are data, a bench is loaded when it runs. */
import { type BenchReport, renderReport, roundFigure } from './bench-report.ts';

interface Bench {
  readonly summary: string;
  load(): Promise<{ readonly run: (args: readonly string[]) => Promise<BenchReport> }>;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  hook: { summary: 'the installed hook command with a daemon', load: () => import('./hook.ts') },
  'hook-cold': { summary: 'the installed hook command without a daemon', load: () => import('./hook-cold.ts') },
  program: { summary: 'the program inside an agent, for each call', load: () => import('./program.ts') },
  match: { summary: 'calls against up to 100,000 lessons, in this process', load: () => import('./match.ts') },
  scan: { summary: 'past sessions into a new store, and again', load: () => import('./scan.ts') },
  'first-report': {
    summary: '`start` on a history of 2 GB: time to its report',
    load: () => import('./first-report.ts'),
  },
  distill: { summary: 'what is learned from real sessions, against labels', load: () => import('./distill.ts') },
  nofaq: { summary: 'repairs of the NoFAQ benchmark, learned from examples', load: () => import('./nofaq.ts') },
  group: { summary: 'signatures of labelled log lines: grouping and speed', load: () => import('./group.ts') },
  manifest: { summary: 'lessons compiled, and their file opened, up to 100,000', load: () => import('./manifest.ts') },
  projects: { summary: 'one project for each repository of past sessions', load: () => import('./projects.ts') },
  api: { summary: 'the dashboard and its API on a large store', load: () => import('./api.ts') },
  ingest: { summary: 'events through the daemon into SQLite and PostgreSQL', load: () => import('./ingest.ts') },
};

async function main(args: readonly string[]): Promise<number> {
  const name = args.find((arg) => !arg.startsWith('-')) ?? '';
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (bench === undefined) {
    console.error(renderHelp(name));
    return 2;
  }
  const report = await run(bench, args);
  if (report === undefined) return 1;
  console.log(args.includes('--json') ? JSON.stringify(report, toPrinted, 2) : renderReport(name, report));
  // Also when a check is not met: the exit code says whether the bench ran, the report says how it went.
  return 0;
}

function toPrinted(_: string, value: unknown): unknown {
  return typeof value === 'number' ? roundFigure(value) : value;
}

/** Undefined when the bench could not run; by then it has cleaned up after itself. */
async function run(bench: Bench, args: readonly string[]): Promise<BenchReport | undefined> {
  try {
    return await (await bench.load()).run(args);
  } catch (error) {
    const interrupted = error instanceof Error && error.name === 'AbortError';
    console.error(interrupted ? 'The bench was interrupted.' : error);
    return undefined;
  }
}

function renderHelp(name: string): string {
  const problem = name === '' ? 'Which bench?' : `There is no bench "${name}".`;
  const names = Object.entries(BENCHES).map(([known, { summary }]) => `  ${known.padEnd(12)} ${summary}`);
  return [problem, 'Run: npm run bench -- <name> [--json]', ...names].join('\n');
}

process.exitCode = await main(process.argv.slice(2));
