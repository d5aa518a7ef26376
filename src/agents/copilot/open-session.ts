/** What is known of the session while its log is read: where, which branch, which model, which version. */
import type { SessionFile } from '../../base/agent-history.ts';
import type { EventOrigin } from '../../base/event.ts';
import { copilot } from '../guests/copilot.ts';
import { findText, findWire, isWire, type Wire } from '../wire.ts';
import type { ShellMemo } from './open-shells.ts';

export interface LogSession {
  /** `session.start`, and `session.resume`, which repeats some of it. */
  begin(data: Wire): void;
  moveTo(context: Wire): void;
  /** Of the main conversation: a sub-agent's calls name their own. */
  useModel(model: string | undefined): void;
  toOrigin(at: string, contextId: string, line: number): EventOrigin;
  /** What an earlier reader noted of the shells that it left open. */
  readonly shells: unknown;
  /** Undefined as long as nothing was noted. */
  toMemo(shells: readonly ShellMemo[] | undefined): string | undefined;
}

interface Facts {
  readonly sessionId?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly model?: string | undefined;
  readonly agentVersion?: string | undefined;
}

export function openSession(file: SessionFile): LogSession {
  const named = toSessionId(file.path);
  const noted = parseMemo(file.memo);
  let facts: Facts = toFacts(noted);
  const note = (more: Facts): void => {
    facts = { ...facts, ...withoutAbsent(more) };
  };
  const moveTo = (context: Wire): void => {
    const cwd = findText(context, 'cwd');
    // Another folder is on another branch, or on none.
    if (cwd !== undefined) facts = { ...facts, cwd, branch: findText(context, 'branch') };
  };

  return {
    begin(data) {
      const model = findText(data, 'selectedModel');
      note({ sessionId: findText(data, 'sessionId'), agentVersion: findText(data, 'copilotVersion'), model });
      moveTo(findWire(data, 'context') ?? {});
    },
    moveTo,
    useModel: (model) => note({ model }),
    toOrigin(at, contextId, line) {
      const { sessionId = named, cwd, branch, model, agentVersion } = facts;
      return {
        agent: copilot.id,
        sessionId,
        contextId,
        at,
        source: 'transcript',
        ...withoutAbsent({ cwd, branch, model, agentVersion }),
        transcriptPath: file.path,
        line,
      };
    },
    shells: noted.shells,
    toMemo(shells) {
      const { sessionId, cwd, branch, model, agentVersion } = facts;
      const memo = JSON.stringify({ sessionId, cwd, branch, model, agentVersion, shells });
      return memo === '{}' ? undefined : memo;
    },
  };
}

/** `session-state/<id>/events.jsonl`, in older builds `session-state/<id>.jsonl`. */
function toSessionId(path: string): string {
  const [folder = '', name = ''] = `//${path.replaceAll('\\', '/')}`.split('/').slice(-2);
  return name === 'events.jsonl' ? folder : name.replace(/\.jsonl$/, '');
}

function parseMemo(memo: string | undefined): Wire {
  try {
    const value: unknown = JSON.parse(memo ?? '{}');
    return isWire(value) ? value : {};
  } catch {
    return {};
  }
}

function toFacts(memo: Wire): Facts {
  return withoutAbsent({
    sessionId: findText(memo, 'sessionId'),
    cwd: findText(memo, 'cwd'),
    branch: findText(memo, 'branch'),
    model: findText(memo, 'model'),
    agentVersion: findText(memo, 'agentVersion'),
  });
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
