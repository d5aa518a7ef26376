/** One thing that `doctor` looked at. */
import { toReason, UserError } from '../../../base/errors.ts';
import { dropAbsent } from '../../../base/records.ts';

export interface Check {
  readonly name: string;
  /** `advice`: nothing is wrong, but the product does less than it could. */
  readonly state: 'ok' | 'advice' | 'bad';
  readonly detail: string;
  readonly next?: string;
  /** For programs: what the detail says in words. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A check without its name. */
export type Finding = Omit<Check, 'name'>;

type Data = Check['data'];

export function ok(detail: string, data?: Data): Finding {
  return { state: 'ok', detail, ...dropAbsent({ data }) };
}

export function advice(detail: string, next: string, data?: Data): Finding {
  return { state: 'advice', detail, next, ...dropAbsent({ data }) };
}

export function bad(detail: string, next: string, data?: Data): Finding {
  return { state: 'bad', detail, next, ...dropAbsent({ data }) };
}

/** The detail when it works, the reason and next step when it does not. */
export async function checkThat(
  name: string,
  look: () => string | Finding | Promise<string | Finding>,
): Promise<Check> {
  try {
    const found = await look();
    return typeof found === 'string' ? { name, state: 'ok', detail: found } : { name, ...found };
  } catch (error) {
    const next = error instanceof UserError ? error.next : undefined;
    const detail = error instanceof UserError ? `${error.subject}: ${error.reason}` : toReason(error);
    return { name, state: 'bad', detail, ...(next === undefined ? {} : { next }) };
  }
}
