/** The commands about stored data: backups, removal, and the projects that the data belongs to. */
import type { Command, CommandGroup } from '../command.ts';

const DRY_RUN = { flags: '--dry-run', help: 'Only show what would be removed' };
const YES = { flags: '--yes', help: 'Do not ask for confirmation' };

export const DATA_COMMANDS: readonly (Command | CommandGroup)[] = [
  { name: 'data', summary: 'Back up, restore and delete what Oncebitten stores' },
  {
    name: 'data backup',
    oldNames: ['backup'],
    summary: 'Write everything stored into one file',
    about: 'Write everything that was captured and learned into one file. The daemon may keep running.',
    options: [
      { flags: '--out <file>', help: 'File to write (default: a new file in backups/ of the data directory)' },
      { flags: '--force', help: 'Replace the file if it exists' },
    ],
    examples: ['oncebitten data backup', 'oncebitten data backup --out /mnt/usb/oncebitten.jsonl.gz'],
    load: async () => (await import('./backup.ts')).run,
  },
  {
    name: 'data restore',
    oldNames: ['restore'],
    summary: 'Replace everything stored with a backup',
    about: 'Replace everything stored with a backup. Without a file, list the backups.',
    arguments: [{ name: 'file', help: 'Backup file, of a SQLite or PostgreSQL store', required: false }],
    options: [{ flags: '--dry-run', help: 'Only check the file, and show what would be restored' }, YES],
    examples: ['oncebitten data restore', 'oncebitten data restore oncebitten.jsonl.gz --dry-run'],
    load: async () => (await import('./restore.ts')).run,
  },
  {
    name: 'data forget',
    oldNames: ['forget'],
    summary: 'Delete a project, a session or everything, for good',
    about: 'Delete everything stored about a project or a session, or everything, for good.',
    options: [
      { flags: '--project [project]', help: 'Project to delete: a folder (default: this folder), an id or a name' },
      { flags: '--session <id>', help: 'Session to delete, with its sub-agents: full id or a unique prefix' },
      { flags: '--all', help: 'Delete everything that was captured and learned; settings and hooks stay' },
      DRY_RUN,
      YES,
    ],
    examples: ['oncebitten data forget --project . --dry-run', 'oncebitten data forget --session 0b1c2d --yes'],
    load: async () => (await import('./forget.ts')).run,
  },
  {
    name: 'data retention',
    oldNames: ['retention'],
    summary: 'Delete data that is older than your settings allow',
    about: 'Delete data that is older than the retention settings allow. The daemon does the same once a day.',
    options: [
      DRY_RUN,
      { flags: '--yes', help: 'Delete and archive everything that is due, even more than 20% of the rows' },
      { flags: '--trust-clock', help: "Trust this machine's clock, although Oncebitten doubts it" },
    ],
    examples: ['oncebitten data retention --dry-run'],
    load: async () => (await import('./retention.ts')).run,
  },
  { name: 'data projects', summary: 'List projects, and join two that are the same' },
  {
    name: 'data projects list',
    otherNames: ['projects list'],
    summary: 'List projects with their folders, sessions and calls',
    examples: ['oncebitten data projects list'],
    load: async () => (await import('./projects.ts')).runList,
  },
  {
    name: 'data projects join',
    oldNames: ['projects join'],
    summary: 'Join two projects after a folder or remote was renamed',
    about: 'Make one project part of another, because its folder was moved or its git remote was renamed.',
    arguments: [
      { name: 'from', help: 'Old project: an id, a folder (which may be gone) or a name', required: true },
      { name: 'into', help: 'Project that it is now: an id, a folder or a name', required: true },
    ],
    options: [{ flags: '--dry-run', help: 'Only show what would be joined' }],
    examples: [
      'oncebitten data projects join ~/old/shop ~/new/shop',
      'oncebitten data projects join prj_1a2b . --dry-run',
    ],
    load: async () => (await import('./projects.ts')).runJoin,
  },
  {
    name: 'data projects split',
    oldNames: ['projects split'],
    summary: 'Undo a join: make a project separate again',
    arguments: [{ name: 'from', help: 'Project that was joined: an id, a folder or a name', required: true }],
    examples: ['oncebitten data projects split ~/old/shop'],
    load: async () => (await import('./projects.ts')).runSplit,
  },
];
