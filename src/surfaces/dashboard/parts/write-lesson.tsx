/**
 * A dialog to write a lesson, filled in from a failure. It is saved as a draft, because only the page of a saved lesson
 * shows on which past calls it would have fired; there a person approves it.
 */

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { toTitle } from '../pages/failures.tsx';
import { useChangeLesson } from './change-lesson.ts';
import { LessonForm, TextField } from './lesson-form.tsx';
import { useProjectNames } from './project-names.ts';
import { Loaded } from './states.tsx';

type Kind = Answer<'listFailures'>['items'][number];
type Call = Answer<'listFailedCalls'>['items'][number];

interface WriteProps {
  readonly kind: Kind;
  readonly signature: string;
  readonly close: () => void;
}

export function WriteLesson({ kind, signature, close }: WriteProps) {
  const asked = { signature, limit: '1' };
  const query = useQuery({
    queryKey: ['failed-calls', asked],
    queryFn: ({ signal }) => ask('listFailedCalls', { query: asked }, signal),
  });
  return <Loaded query={query}>{({ items: [call] }) => <Form kind={kind} call={call} close={close} />}</Loaded>;
}

const SHELL = 'shell';
/** Tools whose calls name a file. */
const FILE_TOOLS = new Set(['read', 'edit', 'write']);
const MAX_SUMMARY = 200;
const MAX_MISTAKE = 1000;

interface FormProps {
  readonly kind: Kind;
  /** The latest call that failed so. */
  readonly call: Call | undefined;
  readonly close: () => void;
}

function Form({ kind, call, close }: FormProps) {
  const { add, isPending } = useChangeLesson();
  const navigate = useNavigate();
  const toName = useProjectNames();
  const tool = call?.tool ?? SHELL;
  const [given, setGiven] = useState({
    summary: shorten(toTitle(kind), MAX_SUMMARY),
    mistake: shorten(kind.message ?? '', MAX_MISTAKE),
    remediation: kind.cure?.text ?? '',
    project: kind.projectIds.length === 1 ? (kind.projectIds[0] ?? '') : '',
    ...{ program: kind.program, word: '', files: '' },
  });
  const set = (key: keyof typeof given) => (value: string) => setGiven((old) => ({ ...old, [key]: value }));
  const save = (): void => {
    const { summary, mistake, remediation, project } = given;
    const triggers = tool === SHELL ? toProgramTrigger(given) : toToolTrigger(tool, given.files);
    const place = project === '' ? {} : { projectId: project };
    add({ summary, mistake, remediation, triggers, isDraft: true, ...place }, (slug) => {
      close();
      void navigate({ to: '/lessons/$lesson', params: { lesson: slug } });
    });
  };
  return (
    <LessonForm
      title="Write a lesson"
      description="It is saved as a draft. The next page shows on which past calls it would have fired, and there you approve it."
      isPending={isPending}
      saveWord="Save as a draft"
      save={save}
      close={close}
    >
      <TextField label="The lesson in one sentence" value={given.summary} onChange={set('summary')} />
      <TextField label="What goes wrong" value={given.mistake} onChange={set('mistake')} />
      <TextField label="What to do instead" value={given.remediation} onChange={set('remediation')} />
      {tool === SHELL ? (
        <>
          <Line
            label="Show it before this program, or a sub-command of it"
            value={given.program}
            onChange={set('program')}
            isRequired
          />
          <Line
            label="Only if the command has this option or word (may be empty)"
            value={given.word}
            onChange={set('word')}
          />
        </>
      ) : (
        <p className="label">
          It is shown at calls of the agent’s tool <code>{tool}</code>.
        </p>
      )}
      {FILE_TOOLS.has(tool) && (
        <Line
          label="Only for these files, such as **/*.sql (may be empty)"
          value={given.files}
          onChange={set('files')}
        />
      )}
      <label>
        <span className="label">In which project</span>
        <select value={given.project} onChange={({ target }) => set('project')(target.value)}>
          <option value="">All projects</option>
          {kind.projectIds.map((id) => (
            <option key={id} value={id}>
              {toName(id)}
            </option>
          ))}
        </select>
      </label>
    </LessonForm>
  );
}

interface LineProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired?: boolean;
}

function Line({ label, value, onChange, isRequired = false }: LineProps) {
  return (
    <label>
      <span className="label">{label}</span>
      <input
        className="command"
        required={isRequired}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

function toProgramTrigger({ program, word }: { readonly program: string; readonly word: string }) {
  const [name = '', ...sub] = toWords(program);
  const args = word.trim() === '' ? {} : { args: { any: [word.trim()] } };
  return { tools: [SHELL], programs: [{ name, ...(sub.length === 0 ? {} : { sub }), ...args }] };
}

function toToolTrigger(tool: string, files: string) {
  const paths = toWords(files);
  return { tools: [tool], ...(paths.length === 0 ? {} : { paths }) };
}

function toWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Ends behind a whole word. */
function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), max / 2)).trimEnd()}…`;
}
