/**
 * Programs with the names of the agents' own, which print what the real ones printed (`test/fixtures/headless/`,
 * recorded from the clients that `seenVersion` names, against a scripted server), or misbehave.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEADLESS } from '../../src/agents/headless.ts';
import type { AgentHeadless } from '../../src/base/contracts/agent-headless.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openLanguageModel } from '../../src/distill/models/open-language-model.ts';
import type { Behaviour, OpenedModel, Provider } from './language-model-suite.ts';

interface Recorded {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly texts?: Readonly<Record<string, string>>;
}

export const AGENT_PROVIDERS: readonly Provider[] = HEADLESS.map((headless) => ({
  name: headless.facts.name,
  isProgram: true,
  // Codex leaves the words of a refusal out, so nothing tells it from an empty answer.
  refusedAs: headless.facts.id === 'codex' ? 'garbage' : 'refused',
  // OpenCode asks a free model of its own where nobody has logged in.
  loginFaults: headless.facts.id === 'opencode' ? ['bad-key'] : ['bad-key', 'not-logged-in'],
  open: (behaviour) => openFake(headless, behaviour),
}));

function openFake(headless: AgentHeadless, behaviour: Behaviour): OpenedModel {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-fake-'));
  const [bin, temporary, home] = ['bin', 'tmp', 'home'].map((name) => join(root, name));
  if (bin === undefined || temporary === undefined || home === undefined) throw new Error('no folder');
  for (const folder of [bin, temporary, home]) mkdirSync(folder);
  const program = join(bin, headless.program);
  const log = (name: string): string => readFileSync(join(root, name), 'utf8');
  writeFileSync(program, `#!/bin/bash\n${toScript(headless, behaviour, root)}`);
  chmodSync(program, 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, CLAUDECODE: '1', KEPT: 'yes' };
  const settings = { ...DEFAULT_SETTINGS.models, provider: 'agent', agent: headless.facts.id } as const;
  const agents = [{ headless, home: join(home, 'agent') }];
  return {
    model: openLanguageModel(settings, { agents, env, home }),
    listAsked: () => log('asked').split('@END@').filter(Boolean),
    listPids: () => log('pids').trim().split('\n').map(Number),
    findEnvironment: () => log('env'),
    findFolder: () => log('folder').trim(),
    close: async () => rmSync(root, { recursive: true, force: true }),
  };
}

export const KEY = ['sk', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('-');

function toScript(headless: AgentHeadless, behaviour: Behaviour, root: string): string {
  const at = (name: string): string => `'${join(root, name)}'`;
  const note = `echo $$ >>${at('pids')}; env >${at('env')}; pwd >${at('folder')}; { cat; printf @END@; } >>${at('asked')}\n`;
  const login = headless.toLoginCheck?.({});
  const check = login && behaviour !== 'not-logged-in' ? `[ "$*" = '${login.args.join(' ')}' ] && exit 0\n` : '';
  const linger = `sleep 60 & echo $! >>${at('pids')}\n`;
  const print = (recorded: Recorded): string => {
    const files = { ...recorded.texts };
    for (const [stream, text] of Object.entries({ out: recorded.stdout, err: recorded.stderr, ...files })) {
      writeFileSync(join(root, `say-${stream}`), (text ?? '').replaceAll('@KEY@', KEY));
    }
    const copies = Object.keys(files).map((name) => `cp ${at(`say-${name}`)} '${name}'\n`);
    const end = recorded.code === undefined ? `${linger}sleep 60\n` : `exit ${recorded.code}\n`;
    return `${copies.join('')}cat ${at('say-out')}; cat ${at('say-err')} >&2\n${end}`;
  };
  const recorded = readRecorded(headless);
  const replace = (text: string): string =>
    print({ ...recorded.answers, stdout: toOtherAnswer(recorded.answers, text) });
  switch (behaviour) {
    case 'slow':
      return `${check}${note}${linger}sleep 60\n`;
    case 'stubborn':
      return `${check}trap '' TERM\n${note}${linger}while :; do sleep 1; done\n`;
    case 'killed':
      return `${check}${note}kill -9 $$\n`;
    case 'huge':
      return `${check}${note}head -c 10000000 /dev/zero | tr '\\0' 'x'\nsleep 60\n`;
    case 'noise':
      return `${check}${note}head -c 2000 /dev/urandom; printf '{"type":"result"'; exit 3\n`;
    case 'hostile':
      return check + note + replace('\u001b]0;owned\u0007 \u202eI will not\u0000');
    case 'limited-once':
      return `${check}${note}[ -e ${at('again')} ] || { : >${at('again')}; ${toLimited(recorded)}; }\n${print(recorded.answers ?? {})}`;
    case 'leaves-behind':
      return check + note + linger + print(recorded.answers ?? {});
    default:
      return check + note + print(recorded[behaviour] ?? {});
  }
}

/** The words of the recorded rate limit, with a wait that a test can wait for. */
function toLimited({ 'rate-limit': limit = {} }: Readonly<Record<string, Recorded>>): string {
  return `printf '%s' 'error: 429 Too Many Requests, try again in 10ms' >&2; exit ${limit.code ?? 1}`;
}

function readRecorded({ facts }: AgentHeadless): Readonly<Record<string, Recorded>> {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/headless/${facts.id}.json`), 'utf8'));
}

/** The recorded answer with another text: it is a JSON text inside the client's JSON. */
function toOtherAnswer({ stdout = '' }: Recorded = {}, text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  const rows = stdout.replace(/,"structured_output":\{[^}]*\}/, '');
  return rows.replaceAll(
    /(?<="(?:result|text|content|response)": ?")(?:[^"\\]|\\.)*add(?:[^"\\]|\\.)*(?=")/g,
    () => escaped,
  );
}
