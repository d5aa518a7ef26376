/** What measuring has led to, for a person: why a lesson holds calls back, what could be checked instead, what is tested. */
import type { Lesson } from '../../base/lesson.ts';

export function listMeasured({ measure = {} }: Lesson): readonly (readonly [label: string, text: string])[] {
  const { raised, check, retest } = measure;
  return [
    ...(raised === undefined ? [] : [['raised', raised] as const]),
    ...(check === undefined ? [] : [['check', `proposed: ${check}`] as const]),
    ...(retest === undefined ? [] : [['retest', `withheld more often than usual: ${retest}`] as const]),
  ];
}
