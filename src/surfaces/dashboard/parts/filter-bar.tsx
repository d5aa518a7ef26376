/** One filter for everything: time, project, agent, model, category. It stands in the address. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { ask } from '../client.ts';
import { type Filter, useFilter } from '../filter.ts';

const SPANS = [
  ['', 'All time'],
  ['1d', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
] as const;

/** As `toCategory` names them. */
export const CATEGORIES = [
  'wrong_usage',
  'missing_path',
  'missing_dependency',
  'not_found',
  'access_denied',
  'config_error',
  'stale_edit',
  'merge_conflict',
  'test_failure',
  'build_error',
  'lint_error',
  'type_error',
  'runtime_error',
  'network_error',
  'timeout',
  'other',
] as const;

export function FilterBar() {
  const filter = useFilter();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const navigate = useNavigate();
  const choices = useQuery({ queryKey: ['choices'], queryFn: ({ signal }) => readChoices(signal), staleTime: 60_000 });
  const set = (key: keyof Filter, value: string): void => {
    void navigate({ to: '.', search: (old: Filter) => ({ ...old, [key]: value === '' ? undefined : value }) as never });
  };
  const { projects = [], agents = [], models = [] } = choices.data ?? {};
  const isSet = Object.keys(filter).some((key) => key !== 'q');
  return (
    <form className="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <Choice
        label="Time"
        value={filter.since ?? ''}
        options={withCurrent(SPANS, filter.since)}
        onChange={(v) => set('since', v)}
      />
      <Choice
        label="Project"
        value={filter.project ?? ''}
        options={[['', 'All projects'], ...projects]}
        onChange={(v) => set('project', v)}
      />
      <Choice
        label="Agent"
        value={filter.agent ?? ''}
        options={[['', 'All agents'], ...agents]}
        onChange={(v) => set('agent', v)}
      />
      <Choice
        label="Model"
        value={filter.model ?? ''}
        options={[['', 'All models'], ...models]}
        onChange={(v) => set('model', v)}
      />
      {path === '/failures' && (
        <Choice
          label="Category"
          value={filter.category ?? ''}
          options={[['', 'All categories'], ...CATEGORIES.map((name): Option => [name, name.replaceAll('_', ' ')])]}
          onChange={(v) => set('category', v)}
        />
      )}
      {isSet && (
        <button type="button" className="plain" onClick={() => void navigate({ to: '.', search: {} as never })}>
          Clear
        </button>
      )}
    </form>
  );
}

type Option = readonly [value: string, text: string];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <span>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        data-set={value !== '' || undefined}
      >
        {withCurrent(options, value).map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

/** A value that somebody typed into the address is a choice, too. */
function withCurrent(options: readonly Option[], value = ''): readonly Option[] {
  return options.some(([id]) => id === value) ? options : [...options, [value, value]];
}

async function readChoices(signal: AbortSignal) {
  const by = async (group: 'agent' | 'model' | 'project') => {
    const { by: groups } = await ask('readHistory', { query: { by: group } }, signal);
    return (groups[0]?.groups ?? [])
      .filter(({ key }) => key !== '')
      .map(({ key, label }): Option => [key, label ?? key]);
  };
  const [projects, agents, models] = await Promise.all([by('project'), by('agent'), by('model')]);
  return { projects, agents, models };
}
