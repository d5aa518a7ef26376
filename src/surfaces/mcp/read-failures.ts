/** Failures by kind as `oncebitten sessions failures` lists them, cut to what a model needs. */

import { toLine } from '../cli/text.ts';
import { type McpContext, runCommand } from './tool.ts';

interface FailureQuestion {
  readonly session?: string;
  /** A folder, an id or a name; `true`: the project of the client's folder. */
  readonly project?: string | true;
  readonly unresolved?: true;
  readonly since?: string;
  readonly limit?: number;
}

const MAX_CHARS = 500;

export async function readFailures(context: McpContext, { limit = 20, ...asked }: FailureQuestion) {
  const { run } = await import('../cli/sessions/failures.ts');
  const options = { ...asked, limit: String(limit) };
  const page = await runCommand<FailurePage>(run, context, { options });
  return page.items.map(({ program, message, count, sessions, first, last, signature, cure, lesson }) => ({
    ...{ program, message: toLine(message ?? '', MAX_CHARS), failed: count, sessions, first, last },
    signature: signature ?? null,
    known_fix: cure === null ? null : toLine(cure.text, MAX_CHARS),
    lesson: lesson?.slug ?? null,
  }));
}

interface FailurePage {
  readonly items: readonly {
    readonly program: string;
    readonly message?: string;
    readonly count: number;
    readonly sessions: number;
    readonly first: string;
    readonly last: string;
    readonly signature?: string;
    readonly cure: { readonly text: string } | null;
    readonly lesson: { readonly slug: string } | null;
  }[];
}
