/**
 * The contract of every agent's hooks: the recordings of the real clients are parsed, replies have the agent's format,
 * and an installation leaves no trace.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AGENTS } from '../../src/agents/agents.ts';
import { HISTORIES } from '../../src/agents/histories.ts';
import { ADAPTERS, findCaller } from '../../src/agents/hooks.ts';
import { INSTALLS } from '../../src/agents/installs.ts';
import type { AgentAdapter, HookReply } from '../../src/base/contracts/agent-adapter.ts';
import type { AgentInstall } from '../../src/base/contracts/agent-install.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { findSettingsFile } from '../../src/surfaces/install/agent-place.ts';
import { DEFAULT_HOOK_FILE } from '../../src/surfaces/install/hook-command.ts';
import { installHooks, uninstallHooks } from '../../src/surfaces/install/install-hooks.ts';
import { readInstalledHooks } from '../../src/surfaces/install/installed-hooks.ts';

const AT = '2026-11-15T10:00:00.000Z';

type Kind = AgentEvent['kind'] | undefined;

/**
 * The event of each recording, by the beginning of its name; the longest match counts. Undefined: there is no reply.
 */
const RECORDINGS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  'claude-code': {
    CwdChanged: undefined,
    InstructionsLoaded: undefined,
    MessageDisplay: undefined,
    PermissionRequest: undefined,
    PostCompact: 'compacted',
    PostToolBatch: 'batch-ended',
    PostToolUse: 'call-ended',
    PreCompact: 'compacting',
    PreToolUse: 'call-started',
    SessionEnd: 'session-ended',
    SessionStart: 'session-started',
    Stop: 'turn-ended',
    SubagentStart: 'subagent-started',
    SubagentStop: 'subagent-ended',
    'SubagentStop.compaction': undefined,
    TaskCreated: undefined,
    UserPromptExpansion: undefined,
    UserPromptSubmit: 'prompted',
    'UserPromptSubmit.notification': 'background-ended',
  },
  codex: {
    PostCompact: 'compacted',
    'PostToolUse.Bash': 'call-returned',
    'PostToolUse.apply_patch': 'call-ended',
    PreCompact: 'compacting',
    PreToolUse: 'call-started',
    SessionEnd: 'session-ended',
    SessionStart: 'session-started',
    Stop: 'turn-ended',
    SubagentStart: 'subagent-started',
    SubagentStop: 'subagent-ended',
    UserPromptSubmit: 'prompted',
    'UserPromptSubmit.subagent': undefined,
  },
  gemini: {
    AfterAgent: 'turn-ended',
    AfterTool: 'call-returned',
    BeforeAgent: 'prompted',
    BeforeModel: undefined,
    BeforeTool: 'call-started',
    PreCompress: undefined,
    SessionEnd: 'session-ended',
    SessionStart: 'session-started',
  },
  opencode: {
    'chat-message': 'prompted',
    'session-compacted': 'session-started',
    'session-created': 'session-started',
    'session-created.subagent': 'subagent-started',
    'session-idle': 'turn-ended',
    'tool-after': 'call-ended',
    'tool-before': 'call-started',
    'tool-failed': 'call-ended',
  },
  copilot: {
    agentStop: 'turn-ended',
    postToolUse: 'call-returned',
    'postToolUse.open': undefined,
    preCompact: 'compacting',
    preToolUse: 'call-started',
    sessionEnd: 'session-ended',
    sessionStart: 'session-started',
    subagentStart: 'subagent-started',
    subagentStop: 'subagent-ended',
    userPromptSubmitted: 'prompted',
    'userPromptSubmitted.subagent': undefined,
  },
  cursor: {
    beforeSubmitPrompt: 'prompted',
    postToolUse: 'call-ended',
    'postToolUse.unclear': undefined,
    preCompact: 'compacting',
    preToolUse: 'call-started',
    sessionEnd: 'session-ended',
    sessionStart: 'session-started',
    stop: 'turn-ended',
  },
};

interface Example {
  readonly shell: string;
  readonly turnEnd: string;
  readonly keys?: Partial<typeof KEYS>;
}

/** The keys of a payload. */
const KEYS = {
  ...{ event: 'hook_event_name', session: 'session_id', context: 'agent_id', cwd: 'cwd' },
  /** The session that started this one. */
  parent: 'parent_session_id',
  /** Further keys that name the session. */
  ids: [] as readonly string[],
  ...{ call: 'tool_use_id', tool: 'tool_name', input: 'tool_input' },
};

/** The recordings that stand for a shell call before it runs, and for the end of a turn. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'claude-code': { shell: 'PreToolUse.Bash', turnEnd: 'Stop' },
  codex: { shell: 'PreToolUse.Bash', turnEnd: 'Stop' },
  gemini: { shell: 'BeforeTool.run_shell_command', turnEnd: 'AfterAgent' },
  opencode: {
    ...{ shell: 'tool-before.bash', turnEnd: 'session-idle' },
    keys: { session: 'sessionID', call: 'callID', tool: 'tool', input: 'args', cwd: 'directory' },
  },
  copilot: {
    ...{ shell: 'preToolUse.bash', turnEnd: 'agentStop' },
    keys: { session: 'sessionId', parent: 'parentAgentId', context: 'agentId', tool: 'toolName', input: 'toolArgs' },
  },
  cursor: {
    shell: 'preToolUse.Shell',
    turnEnd: 'stop',
    keys: { context: 'parent_tool_call_id', ids: ['conversation_id'] },
  },
};

describe('the lists of agents', () => {
  it('have each id once', () => {
    for (const list of [AGENTS, ...[ADAPTERS, INSTALLS, HISTORIES].map((rows) => rows.map(({ facts }) => facts))])
      assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
  });

  it('contain only agents with facts', () => {
    for (const { facts } of [...ADAPTERS, ...INSTALLS, ...HISTORIES]) assert.ok(AGENTS.includes(facts), facts.id);
  });

  it('have hooks for every agent that hooks are installed into', () => {
    assert.deepEqual(
      INSTALLS.map(({ facts }) => facts),
      ADAPTERS.map(({ facts }) => facts),
    );
  });

  it('have a setting for additional sessions of every agent with past sessions', () => {
    assert.deepEqual(
      Object.keys(DEFAULT_SETTINGS.scanPaths),
      HISTORIES.map(({ facts }) => facts.id),
    );
  });
});

for (const adapter of ADAPTERS) {
  const { facts } = adapter;
  const install = INSTALLS.find((one) => one.facts === facts) ?? assert.fail(facts.id);
  describe(`the hooks of ${facts.name}`, () => {
    describeReading(adapter, install);
    describeReplies(adapter);
    describeInstallation(install);
  });
}

function describeReading(adapter: AgentAdapter, install: AgentInstall): void {
  const { id } = adapter.facts;
  const { shell, turnEnd, keys } = EXAMPLES[id] ?? assert.fail(id);
  const key = { ...KEYS, ...keys };
  const toEventName = (name: string): string => name.split('.')[0] ?? '';
  const folder = join(import.meta.dirname, '../fixtures', id, 'hooks');
  const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
  const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

  it('are recorded for every event that is installed', () => {
    const recorded = new Set(names.map((name) => name.split('.')[0]));
    for (const { name } of install.hooks.events) assert.ok(recorded.has(name), name);
    for (const start of Object.keys(RECORDINGS[id] ?? {}))
      assert.ok(
        names.some((name) => name.startsWith(start)),
        start,
      );
  });

  it('are recorded without a trace of the machine', () => {
    for (const name of names)
      assert.doesNotMatch(JSON.stringify(read(name)), /(?:^|[^\w.-])\/(?:tmp|root|opt|work|Users|private)\//, name);
  });

  for (const name of names)
    it(`read ${name}`, () => {
      const payload = read(name);
      const event = adapter.readHook(toEventName(name), payload, AT);
      assert.equal(event?.kind, findKind(id, name));
      if (event === undefined) return;
      assert.deepEqual(
        [event.agent, event.sessionId, event.at, event.source],
        [id, payload[key.parent] ?? payload[key.session], AT, 'hook'],
      );
      assert.equal(event.contextId, payload[key.context] ?? '');
      assert.equal(event.cwd, payload[key.cwd] ?? payload.workspace_roots?.[0]);
      if (event.kind === 'call-started' || event.kind === 'call-ended' || event.kind === 'call-returned') {
        assert.equal(event.callId, payload[key.call] ?? '');
        assert.equal(event.rawTool, payload[key.tool]);
        const input = payload[key.input] ?? payload.state?.input;
        if (event.tool === 'shell') assert.equal(event.input.command, input.command);
      }
      assert.equal(findCaller(id, payload)?.id, id);
    });

  it('use the event of the settings for a payload that names none', () => {
    const { [key.event]: _, ...nameless } = read(turnEnd);
    assert.equal(adapter.readHook(turnEnd, nameless, AT)?.kind, 'turn-ended');
  });

  it('ignore unknown events and payloads without a session or a tool', () => {
    const wire = read(shell);
    const { [key.event]: _, ...nameless } = wire;
    assert.equal(adapter.readHook('Nothing', nameless, AT), undefined);
    const noSession = Object.fromEntries([key.session, ...key.ids].map((one) => [one, '']));
    for (const change of [noSession, { [key.tool]: undefined }])
      assert.equal(adapter.readHook(toEventName(shell), { ...wire, ...change }, AT), undefined);
    for (const payload of [null, 1, 'x', [], {}]) assert.equal(adapter.readHook(turnEnd, payload, AT), undefined);
  });

  it('never throw, whatever the JSON', () => {
    const events = fc.constantFrom(...install.hooks.events.map(({ name }) => name));
    const keys = [...new Set(names.flatMap((name) => Object.keys(read(name))))].filter(
      (one) => ![key.session, key.parent, ...key.ids].includes(one),
    );
    const payloads = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
    fc.assert(
      fc.property(events, fc.oneof(fc.jsonValue(), payloads), (name, wire) => {
        adapter.readHook(name, wire, AT);
        const isObject = typeof wire === 'object' && wire !== null && !Array.isArray(wire);
        const payload = isObject ? { [key.tool]: 'Bash', ...wire, [key.event]: name, [key.session]: 's' } : {};
        const event = adapter.readHook(name, payload, AT);
        assert.ok(event === undefined || event.sessionId === 's');
      }),
    );
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    assert.doesNotThrow(() => adapter.readHook(toEventName(shell), { ...read(shell), [key.input]: deep }, AT));
  });

  it('read the probe that doctor sends as a shell call', () => {
    const { eventName, wire, to } = adapter.writeProbe('git status', '/home/dev/garden');
    assert.ok(install.hooks.events.some(({ name, async }) => name === eventName && !async));
    const event = adapter.readHook(eventName, JSON.parse(wire), AT);
    assert.ok(event?.kind === to && listNoted(adapter).some((one) => one === to || isResult(one, to)));
    assert.deepEqual([event.tool, event.input.command, event.cwd], ['shell', 'git status', '/home/dev/garden']);
  });

  it('read a call that a person types like the same call in a hook', () => {
    const wire = read(shell);
    const { tool, rawTool, input } = adapter.readCall(wire[key.tool], wire[key.input], '');
    const event = adapter.readHook(toEventName(shell), wire, AT);
    assert.ok(event?.kind === 'call-started');
    assert.deepEqual([tool, rawTool, input], [event.tool, event.rawTool, event.input]);
  });
}

function findKind(id: string, name: string): Kind {
  const rows = Object.entries(RECORDINGS[id] ?? {}).filter(([start]) => name.startsWith(start));
  const [row] = rows.toSorted(([a], [b]) => b.length - a.length);
  assert.ok(row, `no kind for ${name}`);
  return row[1];
}

/** Where results carry notes, an agent reports them with or without an outcome. */
function isResult(noted: NotedKind, to: string): boolean {
  return noted === 'call-returned' && to === 'call-ended';
}

type NotedKind = Extract<HookReply, { kind: 'note' }>['to'];

/** The events whose reply the model reads. */
function listNoted({ capabilities }: AgentAdapter): readonly NotedKind[] {
  const { beforeCall, withResult, sessionStart, subagents } = capabilities;
  const isBefore = beforeCall.includes('note');
  return [
    ...(isBefore ? (['call-started'] as const) : []),
    ...(isBefore || withResult === 'none' ? [] : (['call-returned'] as const)),
    ...(sessionStart ? (['session-started'] as const) : []),
    ...(subagents === 'greeted' ? (['subagent-started'] as const) : []),
  ];
}

function describeReplies(adapter: AgentAdapter): void {
  const { beforeCall } = adapter.capabilities;

  it('have a way to deliver a lesson about a call', () => {
    assert.ok(listNoted(adapter).some((to) => to.startsWith('call-')) || beforeCall.length > 0);
  });

  it('reply with one line of JSON, and a note contains no permission decision', () => {
    for (const to of listNoted(adapter)) {
      const line = adapter.writeHook({ kind: 'note', to, context: 'a "quoted"\nlesson' });
      assert.doesNotMatch(line, /permission|decision|\n/i);
      assert.equal(listValues(JSON.parse(line)).filter((value) => value === 'a "quoted"\nlesson').length, 1, to);
    }
  });

  it('refuse a call with the reason, and notify the user', () => {
    if (!beforeCall.includes('pause')) return;
    const refusal: HookReply = { kind: 'refusal', to: 'call-started', reason: 'because', notice: 'held back' };
    const line = adapter.writeHook(refusal);
    assert.match(line, /deny|refuse/);
    for (const value of ['because', 'held back']) assert.ok(line.includes(value), value);
  });

  it("never allow a call in the user's place, also if they change it", () => {
    const rewrite: HookReply = {
      ...{ kind: 'rewrite', to: 'call-started', input: '{"command":"a","timeout":5}', command: 'b' },
      ...{ context: 'changed', notice: 'changed' },
    };
    const line = adapter.writeHook(rewrite);
    assert.doesNotMatch(line, /permission|decision|allow/i);
    const inputs = listValues(JSON.parse(line)).filter(
      (value) => JSON.stringify(value) === '{"command":"b","timeout":5}',
    );
    assert.equal(inputs.length, beforeCall.includes('rewrite') ? 1 : 0);
  });
}

/** Every value in a JSON value. */
function listValues(json: unknown): readonly unknown[] {
  const parts = typeof json === 'object' && json !== null ? Object.values(json) : [];
  return [json, ...parts.flatMap(listValues)];
}

function describeInstallation(agent: AgentInstall): void {
  const makePlace = (context: { after(clean: () => void): void }) => {
    const home = mkdtempSync(join(tmpdir(), 'oncebitten-agent-'));
    context.after(() => rmSync(home, { recursive: true, force: true }));
    const settingsFile = findSettingsFile({ agent, env: {}, home });
    return { agent, settingsFile, hookFile: DEFAULT_HOOK_FILE, record: join(home, 'data', 'installed') };
  };

  it('are installed once for each event, and installing again changes nothing', (context) => {
    const place = makePlace(context);
    const events = agent.hooks.events.map(({ name }) => name);
    assert.deepEqual(installHooks(place).added, events);
    assert.deepEqual(readInstalledHooks(place), { present: events, missing: [], outdated: [] });
    assert.equal(installHooks(place).changed, false);
  });

  it('leave the file of the user byte for byte as it was, or no file where there was none', (context) => {
    const place = makePlace(context);
    installHooks(place);
    assert.equal(uninstallHooks(place).restored, 'deleted');
    // A program is a file of its own.
    if (agent.hooks.program !== undefined) return;
    const theirs = '{\n\t"description": "mine", // kept\n\t"hooks": { "PreToolUse": [ { "hooks": [] }, ] }\n}\n';
    mkdirSync(dirname(place.settingsFile), { recursive: true });
    writeFileSync(place.settingsFile, theirs);
    installHooks(place);
    assert.notEqual(readFileSync(place.settingsFile, 'utf8'), theirs);
    assert.equal(uninstallHooks(place).restored, 'bytes');
    assert.equal(readFileSync(place.settingsFile, 'utf8'), theirs);
  });
}
