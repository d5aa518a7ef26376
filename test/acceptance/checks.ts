/** Counts and prints what an acceptance run saw. */
export interface Checks {
  check(name: string, ok: boolean, detail?: string): void;
  readonly passed: number;
  readonly failed: number;
}

export function makeChecks(): Checks {
  const counts = { passed: 0, failed: 0 };
  return {
    check(name, ok, detail = '') {
      if (ok) counts.passed++;
      else counts.failed++;
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}${detail === '' ? '' : `: ${detail}`}`);
    },
    get passed() {
      return counts.passed;
    },
    get failed() {
      return counts.failed;
    },
  };
}
