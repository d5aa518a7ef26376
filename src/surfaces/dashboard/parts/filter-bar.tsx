/** One filter for everything: time, project, agent, model, category. It stands in the address. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../client.ts';
import { type Filter, keepRange, useFilter } from '../filter.ts';

const SPANS = [
  ['', 'All time'],
  ['1d', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
] as const;

/** As `toCategory` names them. */
const CATEGORIES = [
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
  const navigate = useNavigate();
  const choices = useQuery({ queryKey: ['choices'], queryFn: ({ signal }) => readChoices(signal), staleTime: 60_000 });
  const setMany = (given: Partial<Record<keyof Filter, string>>): void => {
    const values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value || undefined]));
    void navigate({ to: '.', search: (old: Filter) => ({ ...old, ...values }) as never });
  };
  const set = (key: keyof Filter, value: string): void => setMany({ [key]: value });
  const { projects = [], agents = [], models = [] } = choices.data ?? {};
  const isSet = Object.keys(keepRange(filter)).length > 0;
  return (
    <form className="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <Time filter={filter} set={setMany} />
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
      <Choice
        label="Category"
        value={filter.category ?? ''}
        options={[['', 'All categories'], ...CATEGORIES.map((name): Option => [name, name.replaceAll('_', ' ')])]}
        onChange={(v) => set('category', v)}
      />
      {isSet && (
        <button type="button" className="plain" onClick={() => void navigate({ to: '.', search: {} as never })}>
          Clear
        </button>
      )}
    </form>
  );
}

const DAYS = 'days';
const DATE = /^\d{4}-\d\d-\d\d$/;

interface TimeProps {
  readonly filter: Filter;
  readonly set: (given: Pick<Filter, 'since' | 'until'>) => void;
}

/** A span until now, or two days. */
function Time({ filter: { since = '', until = '' }, set }: TimeProps) {
  const [isAsked, setAsked] = useState(false);
  const isDays = isAsked || until !== '' || DATE.test(since);
  return (
    <>
      <Choice
        label="Time"
        value={isDays ? DAYS : since}
        options={[...SPANS, [DAYS, 'From day to day']]}
        onChange={(value) => {
          setAsked(value === DAYS);
          set(value === DAYS ? { since: DATE.test(since) ? since : '', until } : { since: value, until: '' });
        }}
        isSet={since !== '' || until !== ''}
      />
      {isDays && (
        <span className="days">
          <input
            type="date"
            aria-label="First day"
            value={since}
            max={until}
            onChange={({ target }) => set({ since: target.value, until })}
          />
          <span aria-hidden="true">–</span>
          <input
            type="date"
            aria-label="Last day"
            value={until}
            min={since}
            onChange={({ target }) => set({ since, until: target.value })}
          />
        </span>
      )}
    </>
  );
}

type Option = readonly [value: string, text: string];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly isSet?: boolean;
}

function Choice({ label, value, options, onChange, isSet = value !== '' }: ChoiceProps) {
  return (
    <span>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        data-set={isSet || undefined}
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
