/** Several digests as one, to be kept together. */
import type { Digest } from './digest-events.ts';

export function mergeDigests(digests: readonly Digest[]): Digest {
  return {
    sights: digests.flatMap((digest) => digest.sights),
    calls: {
      observed: digests.flatMap((digest) => digest.calls.observed),
      hearsay: digests.flatMap((digest) => digest.calls.hearsay),
      beside: digests.flatMap((digest) => digest.calls.beside),
    },
    findings: digests.flatMap((digest) => digest.findings),
    reports: digests.flatMap((digest) => digest.reports),
    ends: digests.flatMap((digest) => digest.ends),
    contextEnds: digests.flatMap((digest) => digest.contextEnds),
    places: digests.flatMap((digest) => digest.places),
  };
}
