/** What would go, and what went. */
import { basename } from 'node:path';
import type { ForgetReport, ForgetWish } from '../../base/forgotten.ts';
import type { ForgottenBackups } from '../forget-in-backups.ts';
import { toCount, toNumber } from './to-count.ts';

export function renderPreview(
  report: ForgetReport & { readonly facts: number; readonly shared: boolean },
  name: string,
): string {
  const { lessonsChanged, facts } = report;
  return [
    `To be forgotten: ${name}`,
    `  ${renderCounts(report)}`,
    ...(lessonsChanged > 0
      ? [
          `  ${toCount(lessonsChanged, 'lesson')} with other evidence ${lessonsChanged === 1 ? 'loses' : 'lose'} this part of it`,
        ]
      : []),
    ...(facts > 0 ? [`  ${toCount(facts, 'fact')} that ${facts === 1 ? 'waits' : 'wait'} to be stored`] : []),
    ...(report.shared ? ['  The store is shared: this removes what EVERYBODY who uses it has learned.'] : []),
  ].join('\n');
}

interface Forgotten {
  readonly wish: ForgetWish;
  readonly name: string;
  /** The command that stops capture of the same. */
  readonly pause: string;
}

export function renderForgotten(report: ForgetReport, { wish, name, pause }: Forgotten): string {
  const changed =
    report.lessonsChanged > 0 ? `; ${toCount(report.lessonsChanged, 'lesson')} lost part of the evidence` : '';
  return [
    `Forgotten: ${name}. Removed: ${renderCounts(report)}${changed}.`,
    'No scan brings it back. The agents keep transcripts of their own; those are not touched.',
    `${wish.kind === 'all' ? 'Settings and hooks stay. ' : ''}What happens from now on is captured again; to stop that: ${pause}`,
  ].join('\n');
}

export function renderForgottenBackups({ rewritten, removed }: ForgottenBackups): readonly string[] {
  return [
    ...(rewritten.length === 0 ? [] : [`Also removed from ${toCount(rewritten.length, 'automatic backup')}.`]),
    ...(removed.length === 0
      ? []
      : [`Deleted, because they could not be changed: ${removed.map((file) => basename(file)).join(', ')}.`]),
  ];
}

export function renderHolding(backups: readonly string[]): readonly string[] {
  if (backups.length === 0) return [];
  return [
    'These backups of your own may still contain the forgotten data. When you no longer need them, delete them and make a new one: oncebitten backup',
    ...backups.map((file) => `  ${file}`),
  ];
}

function renderCounts({ sessions, calls, lessons, deliveries, episodes, signatures }: ForgetReport): string {
  const told = [toCount(sessions, 'session'), toCount(calls, 'call'), toCount(lessons, 'lesson')];
  const given = `${toNumber(deliveries)} ${deliveries === 1 ? 'delivery' : 'deliveries'}`;
  return [...told, given, toCount(episodes, 'episode'), toCount(signatures, 'failure form')].join(', ');
}
