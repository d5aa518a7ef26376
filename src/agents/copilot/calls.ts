/** The names and keys of Copilot CLI's calls, in its log and in the hooks of its own settings. */
import type { CallFacts } from '../calls.ts';

/** In the hooks of Claude's settings it uses other names (see `guest.ts`). */
export const CALL_FACTS: CallFacts = {
  tools: {
    shell: 'bash powershell',
    edit: 'edit apply_patch',
    write: 'create',
    read: 'view',
    glob: 'glob',
    grep: 'grep rg',
    task: 'task',
    web: 'web_fetch web_search',
  },
  pathKeys: ['path'],
  contentKeys: ['new_str', 'file_text', 'input'],
  patchKey: 'input',
};
