/** The names of projects by their ids. */

import { useQuery } from '@tanstack/react-query';
import { type Answer, ask } from '../client.ts';

export function useProjectNames(): (id: string) => string {
  const { data } = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => ask('readHistory', { query: { by: 'project' } }, signal),
    staleTime: 60_000,
  });
  const names = new Map(data?.by[0]?.groups.map(({ key, label }) => [key, label ?? key]));
  return (id) => names.get(id) ?? id;
}

/** Tells projects of the same name apart, and names one that has no name by its folder. */
export function useProjectLabels(): (project: Answer<'listProjects'>['items'][number]) => string {
  const toName = useProjectNames();
  return ({ id, name, roots }) => {
    const label = toName(id);
    return label === id ? name || roots[0] || id : label;
  };
}
