/** Sample records. Each has only its required fields; a test adds what it needs. */
import type { Call } from '../../../src/base/model/call.ts';
import type { Delivery } from '../../../src/base/model/delivery.ts';
import type { Episode, KeptFinding } from '../../../src/base/model/finding.ts';
import type { Lesson, LessonChange } from '../../../src/base/model/lesson.ts';
import type { Promotion } from '../../../src/base/model/promotion.ts';
import type { Project, Session } from '../../../src/base/model/session.ts';
import type { Signature } from '../../../src/base/model/signature.ts';
import type { ScanState } from '../../../src/base/storage/scan-state.ts';

/** Minute `n` of a day. */
export function at(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
}

export function makeCall(fields: Partial<Call> = {}): Call {
  return {
    agent: 'claude-code',
    sessionId: 's1',
    contextId: '',
    callId: 'c1',
    projectId: 'prj_a',
    tool: 'shell',
    rawTool: 'Bash',
    outcome: 'success',
    outcomeType: 'exit-code',
    masked: false,
    occurredAt: at(0),
    ...fields,
  };
}

export function makeSignature(name: string): Signature {
  return { id: `sig1_${name}`, version: 1, template: `${name}: no such file <path>`, program: name };
}

export function makeFailure(signature: Signature, fields: Partial<Call> = {}): Call {
  return makeCall({ outcome: 'failure', exitCode: 1, message: 'no such file x', signature, ...fields });
}

export function makeFullCall(): Call {
  return makeFailure(makeSignature('cat'), {
    contextId: 'sub-1',
    outcomeType: 'exit-code',
    exitCode: 3_221_225_477,
    masked: true,
    inputHash: 'h1',
    inputSummary: 'cat "naïve ☃ 日本語 👩‍👩‍👧"',
    outputSummary: 'cat: no such file',
    program: 'cat',
    targetPath: '/tmp/x',
    durationMs: 12.5,
    durationSource: 'paired',
  });
}

export function makeProject(fields: Partial<Project> = {}): Project {
  return { id: 'prj_a', name: 'shop', basis: 'remote', root: '/home/ann/shop', ...fields };
}

export function makeSession(fields: Partial<Session> = {}): Session {
  const base = { agent: 'claude-code', sessionId: 's1', projectId: 'prj_a', source: 'hook' } as const;
  return { ...base, startedAt: at(0), lastSeenAt: at(0), ...fields };
}

export function makeEpisode(fields: Partial<Episode> = {}): Episode {
  return {
    id: 'epi_1',
    agent: 'claude-code',
    sessionId: 's1',
    failingCallId: 'c1',
    fixingCallId: 'c2',
    kind: 'corrected-command',
    intentKey: 'gh pr diff',
    steps: 1,
    confidence: 0.6,
    ...fields,
  };
}

export function makeLesson(fields: Partial<Lesson> = {}): Lesson {
  return {
    id: 'les_1',
    slug: 'gh-pr-diff-stat-x7k2',
    type: 'warning',
    summary: 'gh pr diff has no --stat',
    mistake: 'unknown flag: --stat',
    remediation: 'gh pr diff --name-only',
    triggers: { tools: ['shell'], programs: [{ name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat'] } }] },
    priority: 5,
    confidence: 0.6,
    mode: 'note',
    status: 'active',
    needsReview: false,
    scope: { kind: 'project', id: 'prj_a' },
    tags: ['tool:gh'],
    origin: { kind: 'episode', by: 'distill/corrected-command@1', trust: 'observed' },
    evidence: [{ agent: 'claude-code', sessionId: 's1', file: '/t.jsonl', lines: [3, 9], at: at(1) }],
    signatureId: 'sig1_gh',
    occurrences: 1,
    sessions: 1,
    projects: 1,
    validity: { models: [], agentVersions: [] },
    contentHash: 'h_1',
    createdAt: at(1),
    updatedAt: at(1),
    ...fields,
  };
}

export function makeChange(reason: string): LessonChange {
  return { by: 'ann', reason, at: at(2) };
}

export function makeDelivery(fields: Partial<Delivery> = {}): Delivery {
  return {
    id: 'dlv_1',
    kind: 'call',
    lessonId: 'les_1',
    agent: 'claude-code',
    sessionId: 's1',
    contextId: '',
    callId: 'c1',
    mode: 'note',
    arm: 'shown',
    score: 0.875,
    bytes: 312,
    latencyUs: 410.5,
    deliveredAt: at(0),
    ...fields,
  };
}

export function makePromotion(fields: Partial<Promotion> = {}): Promotion {
  return {
    id: 'prm_1',
    lessonId: 'les_1',
    projectId: 'prj_a',
    root: '/home/ann/shop',
    file: 'AGENTS.md',
    state: 'pending',
    text: '- gh pr diff has no --stat',
    by: 'ann',
    at: at(2),
    createdAt: at(1),
    ...fields,
  };
}

export function makeScanState(fields: Partial<ScanState> = {}): ScanState {
  return {
    path: '/home/ann/.claude/projects/shop/s1.jsonl',
    agent: 'claude-code',
    offset: 5_000_000_000,
    lines: 12_000,
    size: 5_000_000_010,
    mtimeMs: 1_767_225_600_123.456,
    inode: 18_446_744_073_709_552_000,
    parserVersion: 1,
    ...fields,
  };
}

export function makeFinding(fields: Partial<KeptFinding> = {}): KeptFinding {
  return {
    ...{ id: 'fnd_1', detector: 'distill/corrected-command@1', kind: 'corrected-command', agent: 'claude-code' },
    ...{
      sessionId: 's1',
      projectId: 'prj_a',
      failingCallId: 'c1',
      fixingCallId: 'c2',
      signatureId: makeSignature('gh').id,
    },
    ...{ verdict: 'new', reason: '1 hits, 0 false alarms', at: at(1) },
    ...fields,
  };
}
