/** Changes of a lesson, each with a notice that can undo it. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Answer, ask, Problem } from '../client.ts';
import { useNotices } from './notices.tsx';

export type Decision = 'approve' | 'reject' | 'archive' | 'restore';
interface Named {
  readonly id: string;
  readonly slug: string;
  readonly summary: string;
}

interface Change {
  readonly lesson: Named;
  readonly done: string;
  readonly run: () => Promise<unknown>;
  /** Absent: the change stands in the history of the lesson, and is undone there. */
  readonly undo?: () => Promise<unknown>;
  readonly then?: () => void;
  /** Runs if the change was refused or undone. */
  readonly back?: () => void;
}

type Made = Pick<Change, 'lesson' | 'undo' | 'back'> & {
  /** The change in the history, where it stands there. */
  readonly change?: Answer<'showLesson'>['nextUndo'];
};

interface Addition {
  readonly parts: { readonly summary: string; readonly [part: string]: unknown };
  /** Hears the name of the new lesson. */
  readonly then: (slug: string) => void;
}

const DONE: Readonly<Record<Decision, string>> = {
  approve: 'Approved',
  reject: 'Rejected',
  archive: 'Archived',
  restore: 'Restored',
};

export const MEANINGS: Readonly<Record<Decision, string>> = {
  approve: 'It is right: agents read it from the next call on',
  reject: 'It is wrong: it stays away, even if the mistake is seen again',
  archive: 'It is right, but not needed: it is put away',
  restore: 'Make it again what it was before',
};
export const LOOKS: Readonly<Partial<Record<Decision, 'main' | 'bad'>>> = { approve: 'main', reject: 'bad' };

export function useChangeLesson() {
  const queries = useQueryClient();
  const { tell, warn } = useNotices();
  const refresh = (): Promise<void> => queries.invalidateQueries();
  const undo = useMutation({
    mutationFn: (made: Made) => made.undo?.() ?? undoInHistory(made),
    onSuccess: async (_answer, { lesson, back }) => {
      tell({ about: lesson.id, title: 'Undone', text: lesson.summary });
      await refresh();
      back?.();
    },
    onError: warn,
  });
  const tellDone = (title: string, made: Made): void =>
    tell({ about: made.lesson.id, title, text: made.lesson.summary, undo: () => undo.mutate(made) });
  const change = useMutation({
    mutationFn: async ({ lesson, run, undo: own }: Change) => {
      await run();
      return own === undefined ? findLastChange(lesson) : undefined;
    },
    onSuccess: async (last, { done, then, ...made }) => {
      tellDone(done, { ...made, ...(last === undefined ? {} : { change: last }) });
      then?.();
      await refresh();
    },
    onError: (error, { back }) => {
      warn(error);
      back?.();
    },
  });
  const muteOne = (lesson: Named) => ask('muteLesson', { params: { lesson: lesson.id }, body: {} });
  const unmuteOne = (lesson: Named) => ask('unmuteLesson', { params: { lesson: lesson.id } });
  const addition = useMutation({
    mutationFn: ({ parts }: Addition) => ask('addLesson', { body: parts }),
    onSuccess: async (answer, { then }) => {
      const lesson = answer as unknown as Named;
      tellDone('Saved as a draft', { lesson });
      then(lesson.slug);
      await refresh();
    },
    onError: warn,
  });
  return {
    add: (parts: Addition['parts'], then: Addition['then']) => addition.mutate({ parts, then }),
    decide: (lesson: Named, decision: Decision, back?: () => void) =>
      change.mutate({
        lesson,
        done: DONE[decision],
        run: () => ask('decideLesson', { params: { lesson: lesson.id }, body: { decision } }),
        ...(back === undefined ? {} : { back }),
      }),
    edit: (lesson: Named, parts: Readonly<Record<string, unknown>> & { readonly summary: string }, then: () => void) =>
      change.mutate({
        lesson: { ...lesson, summary: parts.summary },
        done: 'Saved',
        run: () => ask('editLesson', { params: { lesson: lesson.id }, body: parts }),
        then,
      }),
    mute: (lesson: Named) =>
      change.mutate({ lesson, done: 'Muted', run: () => muteOne(lesson), undo: () => unmuteOne(lesson) }),
    unmute: (lesson: Named) =>
      change.mutate({ lesson, done: 'Unmuted', run: () => unmuteOne(lesson), undo: () => muteOne(lesson) }),
    /** Undoes the last change of the lesson. */
    undo: (lesson: Named) => undo.mutate({ lesson }),
    isPending: change.isPending || undo.isPending || addition.isPending,
  };
}

/** What an undo of the lesson would take back now. */
async function findLastChange({ id }: Named): Promise<Made['change']> {
  return (await ask('showLesson', { params: { lesson: id } })).nextUndo;
}

/** Takes back the change that the notice names, and no newer one that somebody made elsewhere. */
async function undoInHistory({ lesson, change }: Made): Promise<unknown> {
  if (change !== undefined && (await findLastChange(lesson))?.id !== change.id)
    throw new Problem(409, {
      subject: `lesson ${lesson.slug}`,
      reason: 'was changed again later',
      next: 'open it and undo its last changes one by one, under History',
    });
  return ask('undoChange', { body: { lesson: lesson.id } });
}
