/** A dialog to write a lesson, filled in from a failure. */

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChangeLesson } from './change-lesson.ts';
import { LessonForm, TextField } from './lesson-form.tsx';

interface Draft {
  readonly summary: string;
  readonly remediation: string;
  readonly program: string;
}

export function WriteLesson({ draft, close }: { readonly draft: Draft; readonly close: () => void }) {
  const { add, isPending } = useChangeLesson();
  const navigate = useNavigate();
  const [given, setGiven] = useState({ ...draft, word: '' });
  const set = (key: keyof typeof given) => (value: string) => setGiven((old) => ({ ...old, [key]: value }));
  const save = (): void => {
    const [name = '', ...sub] = given.program.trim().split(/\s+/);
    const word = given.word.trim();
    const program = {
      name,
      ...(sub.length === 0 ? {} : { sub }),
      ...(word === '' ? {} : { args: { any: [word] } }),
    };
    const { summary, remediation } = given;
    add({ summary, remediation, triggers: { tools: ['shell'], programs: [program] } }, (slug) => {
      close();
      void navigate({ to: '/lessons/$lesson', params: { lesson: slug } });
    });
  };
  return (
    <LessonForm
      title="Write a lesson"
      description="It is shown from the next call on."
      isPending={isPending}
      save={save}
      close={close}
    >
      <TextField label="The lesson in one sentence" value={given.summary} onChange={set('summary')} />
      <TextField label="What to do instead" value={given.remediation} onChange={set('remediation')} />
      <label>
        <span className="label">Show it before this program, or a sub-command of it</span>
        <input
          className="command"
          required
          value={given.program}
          onChange={({ target }) => set('program')(target.value)}
        />
      </label>
      <label>
        <span className="label">Only if the command has this option or word (may be empty)</span>
        <input className="command" value={given.word} onChange={({ target }) => set('word')(target.value)} />
      </label>
    </LessonForm>
  );
}
