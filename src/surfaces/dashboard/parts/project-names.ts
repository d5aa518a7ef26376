/** The names of projects by their ids. */

import { useQuery } from '@tanstack/react-query';
import { ask } from '../client.ts';

export function useProjectNames(): (id: string) => string {
  const { data } = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => ask('readHistory', { query: { by: 'project' } }, signal),
    staleTime: 60_000,
  });
  const names = new Map(data?.by[0]?.groups.map(({ key, label }) => [key, label ?? key]));
  return (id) => names.get(id) ?? id;
}
