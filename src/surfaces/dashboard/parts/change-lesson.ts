/** Changes of a lesson, each with a notice that can undo it. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ask } from '../client.ts';
import { useNotices } from './notices.tsx';

export type Decision = 'approve' | 'reject' | 'archive' | 'restore';
interface Named {
  readonly id: string;
  readonly summary: string;
}

interface Change {
  readonly lesson: Named;
  readonly done: string;
  readonly run: () => Promise<unknown>;
  /** Absent: the last change of the lesson is undone. */
  readonly undo?: () => Promise<unknown>;
  readonly then?: () => void;
  /** Runs if the change was refused or undone. */
  readonly back?: () => void;
}

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

export function useChangeLesson() {
  const queries = useQueryClient();
  const { tell, warn } = useNotices();
  const refresh = (): Promise<void> => queries.invalidateQueries();
  const undo = useMutation({
    mutationFn: ({ lesson, undo: own }: Change) =>
      own === undefined ? ask('undoChange', { body: { lesson: lesson.id } }) : own(),
    onSuccess: async (_answer, { lesson, back }) => {
      tell({ title: 'Undone', text: lesson.summary });
      await refresh();
      back?.();
    },
    onError: warn,
  });
  const change = useMutation({
    mutationFn: ({ run }: Change) => run(),
    onSuccess: async (_answer, made) => {
      tell({ title: made.done, text: made.lesson.summary, undo: () => undo.mutate(made) });
      made.then?.();
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
      const lesson = answer as unknown as Named & { readonly slug: string };
      tell({ title: 'Saved', text: lesson.summary });
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
    edit: (lesson: Named, parts: Readonly<Record<string, unknown>>, then: () => void) =>
      change.mutate({
        lesson,
        done: 'Saved',
        run: () => ask('editLesson', { params: { lesson: lesson.id }, body: parts }),
        then,
      }),
    mute: (lesson: Named) =>
      change.mutate({ lesson, done: 'Muted', run: () => muteOne(lesson), undo: () => unmuteOne(lesson) }),
    unmute: (lesson: Named) =>
      change.mutate({ lesson, done: 'Unmuted', run: () => unmuteOne(lesson), undo: () => muteOne(lesson) }),
    /** Undoes the last change of the lesson. */
    undo: (lesson: Named) => undo.mutate({ lesson, done: 'Undone', run: async () => undefined }),
    isPending: change.isPending || undo.isPending || addition.isPending,
  };
}
