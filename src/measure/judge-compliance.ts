/**
 * Measures how many of the failures that lessons were learned from agents reported themselves. The verdict says which
 * source to rely on: reports, detectors, or both.
 */
import type { ReportCount } from '../base/model/finding.ts';

/** `tags`: the agents' own reports. */
export type Tier = 'tags' | 'heuristics' | 'both';

type Counts = Pick<ReportCount, 'reports' | 'malformed' | 'unreported'>;

export interface Compliance extends Counts {
  /** Absent if nothing was learned, so that there is nothing to judge. */
  readonly share?: number;
  readonly primary?: Tier;
}

interface GroupCompliance extends Compliance, ReportCount {}

export interface ComplianceReport {
  readonly total: Compliance;
  /** By agent, model, version of the protocol, and main conversation or sub-agents. */
  readonly groups: readonly GroupCompliance[];
}

const TAGS_ABOVE = 0.7;
const HEURISTICS_BELOW = 0.4;

export function judgeCompliance(counts: readonly ReportCount[]): ComplianceReport {
  const sum = (field: 'reports' | 'malformed' | 'unreported'): number =>
    counts.reduce((all, count) => all + count[field], 0);
  const total = { reports: sum('reports'), malformed: sum('malformed'), unreported: sum('unreported') };
  return { total: judge(total), groups: counts.map((count) => ({ ...count, ...judge(count) })) };
}

function judge({ reports, malformed, unreported }: Counts): Compliance {
  const counts = { reports, malformed, unreported };
  if (reports + unreported === 0) return counts;
  const share = reports / (reports + unreported);
  return { ...counts, share: Math.round(share * 1000) / 1000, primary: decideTier(share) };
}

function decideTier(share: number): Tier {
  if (share > TAGS_ABOVE) return 'tags';
  return share < HEURISTICS_BELOW ? 'heuristics' : 'both';
}
