/** The commands that carry lessons in and out, and the lessons that we bring. */
import type { Command } from '../command.ts';

const LESSONS = { name: 'lessons', help: 'slugs or ids; all of them or none', required: true, many: true } as const;

export const SHARING_COMMANDS: readonly Command[] = [
  {
    name: 'lessons share',
    summary: 'make lessons files of this repository, .oncebitten/lessons/, for everybody who works in it',
    arguments: [LESSONS],
    options: [
      { flags: '--force', help: 'also where git would not see the file, or over a change that somebody made to it' },
    ],
    examples: ['oncebitten lessons share gh-pr-diff-stat-x7k2'],
    load: async () => (await import('./share.ts')).run,
  },
  {
    name: 'lessons unshare',
    summary: 'take lessons back from the repository: the files go, the lessons stay yours',
    arguments: [LESSONS],
    options: [{ flags: '--force', help: 'also when somebody changed the file' }],
    load: async () => (await import('./unshare.ts')).run,
  },
  {
    name: 'lessons export',
    summary: 'lessons as one JSON document, without secrets and without paths of this machine',
    options: [
      { flags: '--status <status>', help: 'only draft, active or archived' },
      { flags: '--project [dir]', help: 'only of this project: a folder (default: here), an id or a name' },
      { flags: '--scope <kind>', help: 'only of this scope: project, user or team' },
      { flags: '--out <file>', help: 'write it to a file instead of printing it' },
      { flags: '--force', help: 'replace a file that is there' },
      { flags: '--history', help: 'with what became of each lesson, by whom and why' },
      { flags: '--with-evidence', help: 'with the paths of transcripts, and home folders as they are' },
    ],
    examples: ['oncebitten lessons export --status active --out lessons.json'],
    load: async () => (await import('./export.ts')).run,
  },
  {
    name: 'lessons import',
    summary:
      'take lessons from a file: our own export, a lessons.json, a process-knowledge graph, rules as in AGENTS.md; as drafts',
    arguments: [{ name: 'file', help: 'a file, or - for standard input', required: true }],
    options: [
      {
        flags: '--format <form>',
        help: 'own, lessons-json, process-knowledge or rules; default: what the file looks like',
      },
      { flags: '--dry-run', help: 'only show what would happen' },
      { flags: '--scope <kind>', help: 'project (of this folder) or user; default: as the file says, else user' },
      {
        flags: '--trust',
        help: 'it is your own export: take the lessons as they are, also active ones, and let the newer win over yours',
      },
    ],
    examples: [
      'oncebitten lessons import lessons.json --dry-run',
      'oncebitten lessons import backup.json --trust',
      'oncebitten lessons import AGENTS.md --scope project',
    ],
    load: async () => (await import('./import.ts')).run,
  },
  {
    name: 'lessons starter',
    summary: 'lessons about tool use that hold for everyone; installed as drafts, yours to approve',
    options: [
      { flags: '--list', help: 'show them and what their triggers did in real sessions (this is the default)' },
      { flags: '--install', help: 'take those that are not there yet' },
      { flags: '--remove', help: 'put those away again that nobody touched' },
    ],
    examples: ['oncebitten lessons starter', 'oncebitten lessons starter --install'],
    load: async () => (await import('./starter.ts')).run,
  },
];
