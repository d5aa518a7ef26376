/** The stable form of a failure: same mistake, same signature. Computed by `base/text/signature.ts`. */
export interface Signature {
  /** `sig2_…`: the version of the masking rules, then a hash of program and template. */
  readonly id: string;
  readonly version: number;
  /** The cause line with everything that varies masked. */
  readonly template: string;
  /** The program that failed, or the tool where there was no program. */
  readonly program: string;
}
