/** Promotions: proven lessons go into a file that every agent reads, step by step, and out again. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Answer, ask } from '../client.ts';
import { type Filter, useFilter } from '../filter.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { useNotices } from '../parts/notices.tsx';
import { useProjectLabels } from '../parts/project-names.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { Sentence, toCount } from '../parts/words.tsx';

type Step = 'propose' | 'approve' | 'apply' | 'reject' | 'rollback';
type Project = Answer<'listProjects'>['items'][number];
type Listed = Answer<'listPromotions'>['items'][number];
type Candidate = Answer<'listPromotions'>['candidates'][number];

export function Promotions() {
  const projects = useQuery({ queryKey: ['project-list'], queryFn: ({ signal }) => ask('listProjects', {}, signal) });
  return (
    <>
      <h1>Promotions</h1>
      <p className="headline">
        A lesson that has helped in several sessions can be written into a file that agents read at every start, such as
        AGENTS.md. Then it needs no hook any more.
      </p>
      <Loaded query={projects}>{({ items }) => <Projects projects={items} />}</Loaded>
    </>
  );
}

function Projects({ projects }: { readonly projects: readonly Project[] }) {
  const { project } = useFilter();
  const navigate = useNavigate();
  const toLabel = useProjectLabels();
  const current = projects.find(({ id }) => id === project) ?? projects[0];
  const choose = (id: string): void =>
    void navigate({ to: '.', search: (old: Filter) => ({ ...old, project: id }) as never });
  if (current === undefined) return <Empty title="No project is known yet" />;
  return (
    <>
      <div className="bar">
        <label>
          <span className="label">Project</span>
          <select aria-label="Project" value={current.id} onChange={({ target }) => choose(target.value)}>
            {projects.map((one) => (
              <option key={one.id} value={one.id}>
                {toLabel(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Place key={current.id} folder={current.roots[0] ?? ''} />
    </>
  );
}

function Place({ folder }: { readonly folder: string }) {
  const query = useQuery({
    queryKey: ['promotions', folder],
    queryFn: ({ signal }) => ask('listPromotions', { query: { folder } }, signal),
  });
  const steps = useSteps(folder);
  return (
    <Loaded query={query}>
      {({ candidates, items }) => (
        <>
          {candidates.length + items.length === 0 && (
            <Empty title="No lesson of this project is proven yet">
              <p>
                A lesson is proven when it has helped in at least five sessions. You can propose any active lesson
                yourself: open it under <Link to="/lessons">Lessons</Link> and press Promote.
              </p>
            </Empty>
          )}
          {candidates.length > 0 && <h2>Proven lessons</h2>}
          {candidates.length > 0 && (
            <ul className="rows">
              {candidates.map((one) => (
                <Proven key={one.id} candidate={one} steps={steps} />
              ))}
            </ul>
          )}
          {items.length > 0 && <h2>On their way</h2>}
          {items.length > 0 && (
            <ul className="rows">
              {items.map((one) => (
                <Promotion key={one.id} promotion={one} steps={steps} />
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  );
}

interface Steps {
  readonly take: (lesson: string, step: Step) => void;
  readonly isPending: boolean;
}

function useSteps(folder: string): Steps {
  const queries = useQueryClient();
  const { tell, warn } = useNotices();
  const step = useMutation({
    mutationFn: ({ lesson, step: name }: { readonly lesson: string; readonly step: Step }) =>
      ask('promoteLesson', { params: { lesson }, body: { folder, step: name } }),
    onSuccess: async (_answer, { lesson, step: name }) => {
      const back = UNDO[name];
      tell({
        ...{ about: lesson, title: DONE[name] },
        ...(back === undefined ? {} : { undo: () => step.mutate({ lesson, step: back }) }),
      });
      await queries.invalidateQueries();
    },
    onError: warn,
  });
  return { take: (lesson, name) => step.mutate({ lesson, step: name }), isPending: step.isPending };
}

const DONE: Readonly<Record<Step, string>> = {
  propose: 'Proposed',
  approve: 'Approved: nothing is written yet',
  apply: 'Written into the file',
  reject: 'Rejected',
  rollback: 'Removed from the file',
};
/** After the other steps, the button of the step back stands beside the promotion. */
const UNDO: Readonly<Partial<Record<Step, Step>>> = { propose: 'reject', reject: 'propose' };
const WORDS: Readonly<Record<Step, string>> = {
  propose: 'Propose',
  approve: 'Approve',
  apply: 'Write it into the file',
  reject: 'Reject',
  rollback: 'Remove it from the file',
};

function Buttons({ lesson, names, steps }: { lesson: string; names: readonly Step[]; steps: Steps }) {
  return (
    <div className="bar">
      {names.map((name) => (
        <ActionButton key={name} isBusy={steps.isPending} act={() => steps.take(lesson, name)}>
          {WORDS[name]}
        </ActionButton>
      ))}
    </div>
  );
}

function Proven({ candidate, steps }: { readonly candidate: Candidate; readonly steps: Steps }) {
  return (
    <li>
      <Link to="/lessons/$lesson" params={{ lesson: candidate.slug }} search={(old) => old}>
        <Sentence text={candidate.title} />
      </Link>
      <p className="facts">
        the mistake was not repeated after {candidate.clean} of {candidate.judged} times shown, in{' '}
        {toCount(candidate.sessions, 'session')}
      </p>
      <Buttons lesson={candidate.slug} names={['approve', 'reject']} steps={steps} />
    </li>
  );
}

const NEXT: Readonly<Record<string, readonly Step[]>> = {
  pending: ['approve', 'reject'],
  approved: ['apply', 'reject'],
  applied: ['rollback'],
  rolled_back: ['propose'],
};

function Promotion({ promotion, steps }: { readonly promotion: Listed; readonly steps: Steps }) {
  const { id, slug, state, root, file, text, note } = promotion;
  return (
    <li>
      <Link to="/lessons/$lesson" params={{ lesson: slug }} search={(old) => old}>
        {slug}
      </Link>
      <p className="facts">
        <span className="badge" data-kind={state === 'applied' ? 'active' : 'draft'}>
          {state.replace('_', ' ')}
        </span>
        <code>
          {root}/{file}
        </code>
      </p>
      {text !== '' && <pre>{text}</pre>}
      {note !== undefined && <p className="note">{note}</p>}
      <Buttons lesson={id} names={NEXT[state] ?? []} steps={steps} />
    </li>
  );
}
