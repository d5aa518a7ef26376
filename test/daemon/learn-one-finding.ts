/** Learns from one finding, with the default weights and no calls known but those of the store. */
import type { Store } from '../../src/base/contracts/store.ts';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { DEFAULT_WEIGHTS } from '../../src/base/model/settings.ts';
import { learnFindings } from '../../src/loop/learning/learn-finding.ts';
import { makePastCalls } from '../../src/loop/learning/past-calls.ts';

/** True when a lesson is new or changed. `window`: the calls around the finding, with their whole text. */
export function learnFinding(store: Store, finding: Finding, window: readonly LiveCall[]): Promise<boolean> {
  return learnFindings({ store, past: makePastCalls(store), weights: DEFAULT_WEIGHTS }, [{ finding, window }]);
}
