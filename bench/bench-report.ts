/** What every bench gives: figures, what they were measured against, and one check for each bound. */
import { renderTable } from '../src/surfaces/cli/table.ts';

export interface Check {
  readonly name: string;
  readonly value: number;
  readonly bound: number;
  readonly ok: boolean;
  /** `at most` unless it says otherwise. */
  readonly kind?: 'at least';
}

export interface BenchReport {
  /** The same things measured in the same run, so that figures mean something on another machine. */
  readonly reference: Readonly<Record<string, unknown>>;
  readonly checks: readonly Check[];
  readonly [figure: string]: unknown;
}

export function atMost(name: string, value: number, bound: number): Check {
  return { name, value, bound, ok: value <= bound };
}

export function atLeast(name: string, value: number, bound: number): Check {
  return { name, value, bound, ok: value >= bound, kind: 'at least' };
}

/** Nothing that may not happen at all. A bench whose product answers wrongly measures something else. */
export function mustBeZero(name: string, value: number): Check {
  return atMost(name, value, 0);
}

/** The figures of a report as they are printed. The checks were made before, with the whole figures. */
export function roundFigure(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

export function renderReport(name: string, { checks, reference, ...figures }: BenchReport): string {
  const rows = checks.map((check) => [
    check.ok ? 'ok' : 'MISSED',
    check.name,
    `${roundFigure(check.value)}`,
    `${check.kind === 'at least' ? '>=' : '<='} ${check.bound}`,
  ]);
  return [
    `${name}\n`,
    renderTable(['', 'check', 'value', 'bound'], rows),
    `\n${renderTable(['figure', 'value'], [...toRows('', figures), ...toRows('reference.', reference)])}`,
  ].join('\n');
}

function toRows(prefix: string, values: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isPlain(value) ? toRows(`${prefix}${key}.`, value) : [[prefix + key, renderValue(value)]],
  );
}

function renderValue(value: unknown): string {
  if (typeof value === 'number') return String(roundFigure(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
