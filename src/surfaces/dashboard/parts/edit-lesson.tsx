/** A dialog to change the words, the priority and the mode of a lesson. */

import { useState } from 'react';
import type { Answer } from '../client.ts';
import { useChangeLesson } from './change-lesson.ts';
import { LessonForm, TextField } from './lesson-form.tsx';

type Lesson = Answer<'showLesson'>;

const MODES = [
  ['note', 'note: the agent reads it with the result of its call'],
  ['pause', 'pause: stop the call the first time'],
  ['rewrite', 'rewrite: correct the call before it runs'],
  ['block', 'block: refuse the call every time'],
] as const;

export function EditLesson({ lesson, close }: { readonly lesson: Lesson; readonly close: () => void }) {
  const { edit, isPending } = useChangeLesson();
  const [given, setGiven] = useState({
    summary: lesson.summary,
    mistake: lesson.mistake,
    remediation: lesson.remediation,
    priority: String(lesson.priority),
    mode: lesson.mode,
  });
  const set = (key: keyof typeof given) => (value: string) => setGiven((old) => ({ ...old, [key]: value }));
  const save = (): void => {
    edit(lesson, { ...given, priority: Number(given.priority) }, close);
  };
  return (
    <LessonForm title="Edit the lesson" isPending={isPending} save={save} close={close}>
      <TextField label="The lesson in one sentence" value={given.summary} onChange={set('summary')} />
      <TextField label="What goes wrong" value={given.mistake} onChange={set('mistake')} />
      <TextField label="What to do instead" value={given.remediation} onChange={set('remediation')} />
      <label>
        <span className="label">Priority, from 1 to 10</span>
        <input
          type="number"
          min="1"
          max="10"
          value={given.priority}
          onChange={({ target }) => set('priority')(target.value)}
        />
      </label>
      <label>
        <span className="label">What it does when it fires (the setting delivery.maxMode limits it)</span>
        <select value={given.mode} onChange={({ target }) => set('mode')(target.value)}>
          {MODES.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </LessonForm>
  );
}
