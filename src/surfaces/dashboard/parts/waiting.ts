/** How many lessons wait for a decision, whatever the filter. */

import { useQuery } from '@tanstack/react-query';
import { ask } from '../client.ts';

export function useWaiting(): number {
  const { data } = useQuery({
    queryKey: ['lessons', 'waiting'],
    queryFn: ({ signal }) => ask('listLessons', { query: { needsReview: 'true', limit: '1' } }, signal),
  });
  return data?.total ?? 0;
}
