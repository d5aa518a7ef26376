/**
 * Which host's daemon has the store of a data directory that several hosts share. The lock of `hold-lock.ts` is one
 * host's; between hosts a file names the owner, who touches it every few seconds. Others watch it with their own clock
 * (clocks of hosts differ): unchanged for two minutes, the owner is taken for dead. Then one writes its own name, waits
 * until every owner that is alive would have noticed, and looks whether the name still stands.
 */
import { rmSync } from 'node:fs';
import { writeOwnFile } from '../write-own-file.ts';
import { createOwnerFile, findOwner, type Owner, touchOwnerFile } from './owner-file.ts';

export interface Ownership {
  /** Asked before every write that only the owner may make. */
  isMine(): boolean;
  /** The other host, when it is not ours. */
  findOwner(): string | undefined;
  /** To be called every `beatMs`. */
  beat(): void;
  readonly beatMs: number;
  release(): void;
}

export interface OwnershipParts {
  readonly file: string;
  readonly host: string;
  readonly daemonId: string;
  /** How long an owner may be silent. */
  readonly patienceMs: number;
  readonly onGain: () => void;
  readonly onLose: () => void;
}

export function holdOwnership(parts: OwnershipParts): Ownership {
  const { file, host, daemonId, patienceMs } = parts;
  const text = `${JSON.stringify({ host, daemonId })}\n`;
  let state: 'watching' | 'claiming' | 'mine' = 'watching';
  let owner: Owner | undefined;
  /** When the owner last gave a sign of life, and when we last looked; the second by the clock that runs in sleep. */
  let changedMs = performance.now();
  let lookedMs = Date.now();

  const become = (next: typeof state): void => {
    const before = state;
    state = next;
    changedMs = performance.now();
    if (next === 'mine' && before !== 'mine') parts.onGain();
    if (next !== 'mine' && before === 'mine') parts.onLose();
  };
  const claim = (): void => {
    writeOwnFile(file, text);
    // Of this host only one daemon runs, and it is us: the name is a dead one's.
    become(owner?.host === host ? 'mine' : 'claiming');
  };
  /** Also when only the file is gone: nobody else has it while we can put it back. */
  const takeFree = (): void => {
    if (createOwnerFile(file, text)) become('mine');
  };
  const stay = (): void => {
    touchOwnerFile(file);
    const isEarly = state === 'claiming' && performance.now() - changedMs < patienceMs / 4;
    if (!isEarly) become('mine');
  };
  const watch = (found: Owner): void => {
    if (state !== 'watching') become('watching');
    if (found.stamp !== owner?.stamp) changedMs = performance.now();
    owner = found;
    if (found.host === host || performance.now() - changedMs >= patienceMs) claim();
  };
  const beat = (): void => {
    lookedMs = Date.now();
    const found = findOwner(file);
    if (found === undefined) takeFree();
    else if (found.daemonId === daemonId) stay();
    else watch(found);
  };
  const attempt = (): void => {
    try {
      beat();
    } catch {
      // The file cannot be written now: who has it keeps it, who has not goes on watching.
    }
  };
  attempt();
  return {
    isMine() {
      // After a long sleep somebody else may be the owner: look before anything is written.
      if (state === 'mine' && Math.abs(Date.now() - lookedMs) > patienceMs / 2) attempt();
      return state === 'mine';
    },
    findOwner: () => (state === 'mine' ? undefined : owner?.host),
    beat: attempt,
    beatMs: patienceMs / 12,
    release() {
      if (state === 'mine' && findOwner(file)?.daemonId === daemonId) rmSync(file, { force: true });
    },
  };
}
