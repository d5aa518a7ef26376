/** Sessions of agents, newest first. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../client.ts';
import { useRange } from '../filter.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { Moment, toCount } from '../parts/words.tsx';

export function Sessions() {
  const asked = useRange();
  const query = useQuery({
    queryKey: ['sessions', asked],
    queryFn: ({ signal }) => ask('listSessions', { query: asked }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Sessions</h1>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No sessions match this filter" />
          ) : (
            <ul className="rows">
              {items.map((one) => (
                <li key={`${one.agent} ${one.sessionId}`}>
                  <Link to="/sessions/$session" params={{ session: one.sessionId }} search={(old) => old}>
                    {one.projectName ?? one.cwd}
                  </Link>
                  <p className="facts">
                    <span>{one.agent}</span>
                    <span>{one.model}</span>
                    <span>{toCount(one.calls, 'call')}</span>
                    <span>{toCount(one.failures, 'failure')}</span>
                    <Moment at={one.startedAt} />
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
