/**
 * The settings that a user can change, with their defaults and the scoring weights. Every key has a default here, a
 * line of help in the schema, and an environment name `ONCEBITTEN_…`, unless it loads code, names a place to send data
 * to, or names sessions to learn from.
 */

import { SIGNALS, type Signal } from './finding.ts';
import type { DeliveryMode } from './lesson.ts';
import { TRACKED_TOOLS } from './tool.ts';

export interface Settings {
  readonly injectionBudgetBytes: number;
  readonly maxLessonsPerInjection: number;
  readonly minConfidence: number;
  readonly minPriority: number;
  readonly minScore: number;
  readonly compactionReinjectionThreshold: number;
  readonly replyDeadlineMs: number;
  readonly idleExitMinutes: number;
  /** The daemon's HTTP listener on loopback. */
  readonly http: { readonly enabled: boolean };
  readonly dedup: 'context' | 'session';
  readonly delivery: {
    /** The strongest mode: `note` advises, `pause` refuses once, `rewrite` corrects the input, `block` refuses. */
    readonly maxMode: DeliveryMode;
    /** Show an agent how earlier sessions got past the failure of its call. */
    readonly knownFixes: boolean;
    /** Warn an agent before a call that failed in an earlier session and has not worked since. */
    readonly memory: boolean;
  };
  readonly selfReportProtocol: boolean;
  readonly privateProjects: readonly string[];
  readonly trackedTools: readonly string[];
  /** Files of the user's own detectors. */
  readonly detectorPlugins: readonly string[];
  /** Detectors that learn nothing. */
  readonly detectorsOff: readonly DetectorName[];
  readonly detection: DetectionSettings;
  readonly autoScanIntervalHours: number;
  /** The number of drafts that one review shows. A scan may learn more. */
  readonly maxCandidatesPerScan: number;
  /** Agent -> additional folders with its sessions. */
  readonly scanPaths: Readonly<Record<string, readonly string[]>>;
  readonly scoring: ScoringWeights;
  readonly retention: {
    readonly enabled: boolean;
    readonly textDays: number;
    readonly perProject: number;
    readonly factDays: number;
  };
  readonly drafts: { readonly expireDays: number };
  readonly unused: { readonly archiveDays: number };
  readonly holdout: HoldoutSettings;
  readonly promotion: PromotionSettings;
  readonly skills: {
    /** This many lessons with the same `tool:` tag are delivered together as one skill; 0 for never. */
    readonly minLessons: number;
  };
  readonly models: ModelSettings;
  readonly store: { readonly url: string };
}

/** Who may answer a question about failures: nobody, an agent on this machine, or a server. */
export const MODEL_PROVIDERS = ['none', 'agent', 'anthropic', 'openai'] as const;

/** The language model that may propose lessons. */
export interface ModelSettings {
  readonly provider: (typeof MODEL_PROVIDERS)[number];
  /** The id of the agent; empty: the first one on this machine. */
  readonly agent: string;
  /** Empty: the agent's own choice. */
  readonly model: string;
  /** Empty: the provider's own server. */
  readonly baseUrl: string;
  readonly auto: boolean;
  readonly dailyTokens: number;
  readonly dailyUsd: number;
  readonly packCharacters: number;
  readonly deadlineSeconds: number;
}

/** The detectors of this version: what a user can switch off. */
export const DETECTOR_NAMES = [
  'corrected-command',
  'rejected-word',
  'missing-wrapper',
  'ignored-path',
  'wrong-directory',
  'doubled-folder',
  'refused-call',
  'code-edit',
  'user-correction',
  'hang',
  'self-report',
  'repair',
  'bare-word',
  'known-fix',
  'recurrence',
  'absent-path',
] as const;
type DetectorName = (typeof DETECTOR_NAMES)[number];
/** Which detectors learn, and from which signs. */
export type DetectorSettings = Pick<Settings, 'detectorPlugins' | 'detectorsOff' | 'detection'>;

/** Where signs of trouble begin. */
export interface DetectionSettings {
  /** Different failed attempts at one thing that make a retry loop. */
  readonly retryLoopTries: number;
  /** A call that was stopped after this time without output hung. */
  readonly hangSeconds: number;
}

/** How often a lesson is withheld at random, to measure its effect against sessions without it. */
export interface HoldoutSettings {
  readonly share: number;
  readonly after: number;
}

/** Which lessons are proposed for the files that agents always read, and how much of such a file they may fill. */
export interface PromotionSettings {
  readonly minEffectiveness: number;
  readonly minTasks: number;
  readonly minConfidence: number;
  readonly maxPerFile: number;
  readonly maxBytesPerFile: number;
}

const NOTHING = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as Readonly<Record<Signal, number>>;

/** What each observed signal adds to priority and confidence. A user can set every figure. */
export const DEFAULT_WEIGHTS: ScoringWeights = {
  priority: {
    base: 3,
    seenOnce: -1,
    sessions: 2,
    projects: 1,
    signals: {
      ...NOTHING,
      hang: 1,
      'silent-failure': 1,
      'data-loss': 1,
      'user-corrected': 1,
      'fix-confirmed': 1,
      'self-reported': 1,
    },
    activeMin: 4,
    repeatedMin: 9,
    impactMin: 9,
    qualityMin: 7,
  },
  confidence: {
    base: 0.4,
    sessions: 0.1,
    projects: 0.1,
    signals: {
      ...NOTHING,
      'error-fix-success': 0.2,
      'self-reported': 0.25,
      'user-corrected': 0.15,
      'causal-words': 0.05,
      'retry-loop': 0.1,
      hang: 0.1,
      'self-diagnosis': 0.05,
    },
    selfReportedMin: 0.85,
    min: 0.1,
    max: 0.95,
  },
};

export const DEFAULT_SETTINGS: Settings = {
  injectionBudgetBytes: 4096,
  maxLessonsPerInjection: 3,
  minConfidence: 0.5,
  minPriority: 1,
  minScore: 0.7,
  compactionReinjectionThreshold: 7,
  replyDeadlineMs: 100,
  idleExitMinutes: 240,
  http: { enabled: true },
  dedup: 'context',
  delivery: { maxMode: 'note', knownFixes: true, memory: true },
  selfReportProtocol: true,
  privateProjects: [],
  trackedTools: TRACKED_TOOLS,
  detectorPlugins: [],
  detectorsOff: [],
  detection: { retryLoopTries: 3, hangSeconds: 30 },
  autoScanIntervalHours: 24,
  maxCandidatesPerScan: 50,
  scanPaths: { 'claude-code': [], codex: [], opencode: [], gemini: [], copilot: [] },
  scoring: DEFAULT_WEIGHTS,
  retention: { enabled: true, textDays: 30, perProject: 10_000, factDays: 400 },
  drafts: { expireDays: 30 },
  unused: { archiveDays: 180 },
  holdout: { share: 0.1, after: 5 },
  promotion: { minEffectiveness: 0.8, minTasks: 5, minConfidence: 0.8, maxPerFile: 20, maxBytesPerFile: 8192 },
  skills: { minLessons: 5 },
  models: {
    ...{ provider: 'none', agent: '', model: '', baseUrl: '', auto: false },
    ...{ dailyTokens: 50_000, dailyUsd: 0.2, packCharacters: 24_000, deadlineSeconds: 300 },
  },
  store: { url: '' },
};

/** `holdout.share` is `ONCEBITTEN_HOLDOUT_SHARE`: a group's name is the prefix of its keys. */
export function toEnvironmentName(prefix: string, key: string): string {
  return `${prefix}_${key.replace(/[A-Z]/g, '_$&').replaceAll('-', '_').toUpperCase()}`;
}

export const ENVIRONMENT_PREFIX = 'ONCEBITTEN';

export interface ScoringWeights {
  readonly priority: {
    readonly base: number;
    readonly seenOnce: number;
    readonly sessions: number;
    readonly projects: number;
    readonly signals: Readonly<Record<Signal, number>>;
    /** The lowest priority of a lesson that passed the back-test, because a LOW lesson cannot reach the threshold. */
    readonly activeMin: number;
    /** The lowest priority after two repetitions in spite of the lesson. */
    readonly repeatedMin: number;
    /** The lowest priority if a user corrected something that deploys, publishes or can lose data. */
    readonly impactMin: number;
    /** The lowest priority if a user corrected something about tests, reviews or checks. */
    readonly qualityMin: number;
  };
  readonly confidence: {
    readonly base: number;
    readonly sessions: number;
    readonly projects: number;
    readonly signals: Readonly<Record<Signal, number>>;
    /** The lowest confidence in a lesson that an agent reported. */
    readonly selfReportedMin: number;
    readonly min: number;
    readonly max: number;
  };
}
