/** A dialog that shows the lines that a promotion would write, and proposes it. Nothing is written into a file here. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { LessonForm } from './lesson-form.tsx';
import { useNotices } from './notices.tsx';
import { useProjectLabels } from './project-names.ts';
import { Loaded } from './states.tsx';

type Lesson = Answer<'showLesson'>;
type Project = Answer<'listProjects'>['items'][number];

export function PromoteLesson({ lesson, close }: { readonly lesson: Lesson; readonly close: () => void }) {
  const query = useQuery({ queryKey: ['project-list'], queryFn: ({ signal }) => ask('listProjects', {}, signal) });
  const isOf = ({ id }: Project): boolean => lesson.scope.id === undefined || lesson.scope.id === id;
  const toLabel = useProjectLabels();
  const [chosen, choose] = useState<string>();
  const projects = (query.data?.items ?? []).filter(isOf);
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  const { propose, isPending } = usePropose(lesson, close);
  return (
    <LessonForm
      title="Promote the lesson"
      description="A promoted lesson stands in a file of the project that agents read at every start. You approve the text before it is written."
      isPending={isPending || project === undefined}
      saveWord="Propose it"
      save={() => project !== undefined && propose(project)}
      close={close}
    >
      <label>
        <span className="label">Project</span>
        <select aria-label="Project" value={project?.id ?? ''} onChange={({ target }) => choose(target.value)}>
          {projects.map((one) => (
            <option key={one.id} value={one.id}>
              {toLabel(one)}
            </option>
          ))}
        </select>
      </label>
      {project !== undefined && <Preview lesson={lesson} folder={project.roots[0] ?? ''} />}
    </LessonForm>
  );
}

function Preview({ lesson, folder }: { readonly lesson: Lesson; readonly folder: string }) {
  const query = useQuery({
    queryKey: ['promotion', lesson.id, folder],
    queryFn: ({ signal }) => ask('showPromotion', { params: { lesson: lesson.id }, query: { folder } }, signal),
  });
  return (
    <Loaded query={query}>
      {(shown) => {
        const { files = [], text = '' } = shown as { files?: readonly { readonly file: string }[]; text?: string };
        return (
          <>
            <p className="label">
              The text for {folder}/{files.map(({ file }) => file).join(', ')}
            </p>
            <pre>{text}</pre>
          </>
        );
      }}
    </Loaded>
  );
}

function usePropose(lesson: Lesson, close: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { tell, warn } = useNotices();
  const step = useMutation({
    mutationFn: ({ roots }: Project) =>
      ask('promoteLesson', { params: { lesson: lesson.id }, body: { folder: roots[0] ?? '', step: 'propose' } }),
    onSuccess: async (_answer, { id }) => {
      tell({ about: lesson.id, title: 'Proposed', text: lesson.summary });
      close();
      void navigate({ to: '/promotions', search: { project: id } as never });
      await queries.invalidateQueries();
    },
    onError: warn,
  });
  return { propose: (project: Project) => step.mutate(project), isPending: step.isPending };
}
