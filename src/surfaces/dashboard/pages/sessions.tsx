/** Sessions of agents, newest first, by day. */

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Answer, ask } from '../client.ts';
import { keepRange, useRange } from '../filter.ts';
import { Empty, Skeleton, Trouble } from '../parts/states.tsx';
import { Clock, toCount, toDay, toNumber } from '../parts/words.tsx';
import { isRunning } from './session.tsx';

type Session = Answer<'listSessions'>['items'][number];

export function Sessions() {
  const asked = useRange();
  const query = useInfiniteQuery({
    queryKey: ['sessions', asked],
    queryFn: ({ signal, pageParam }) => ask('listSessions', { query: { ...asked, from: String(pageParam) } }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  const days = Map.groupBy(items ?? [], ({ lastSeenAt }) => toDay(lastSeenAt));
  return (
    <>
      <h1>Sessions</h1>
      {items === undefined && (query.error === null ? <Skeleton /> : <Trouble error={query.error} />)}
      {items !== undefined && items.length > 0 && (
        <p className="soft">
          {toCount(query.data?.pages[0]?.total ?? 0, 'session')}, the latest first
          <Silent />
        </p>
      )}
      {items !== undefined && items.length === 0 && <None isFiltered={Object.keys(asked).length > 0} />}
      {[...days].map(([day, some]) => (
        <section key={day}>
          <h2>{day}</h2>
          <ul className="rows">
            {some.map((one) => (
              <Row key={`${one.agent} ${one.sessionId}`} session={one} />
            ))}
          </ul>
        </section>
      ))}
      {query.hasNextPage && (
        <button type="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </button>
      )}
    </>
  );
}

/** Sessions without a call are listed here, but counted nowhere else. */
function Silent() {
  const { category, ...asked } = useRange();
  const query = useQuery({
    queryKey: ['silent', asked],
    queryFn: ({ signal }) => ask('readHistory', { query: asked }, signal),
    enabled: category === undefined,
  });
  const count = query.data?.totals.silentSessions ?? 0;
  return category !== undefined || count === 0 ? null : `; ${toNumber(count)} of them made no call`;
}

function None({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No sessions match this filter">
      <p>
        <Link to="/sessions" search={{} as never}>
          Show all sessions
        </Link>
      </p>
    </Empty>
  ) : (
    <Empty title="No sessions are known yet">
      <p>
        Read past sessions with <code>oncebitten scan</code>, or connect an agent with <code>oncebitten install</code>.
      </p>
    </Empty>
  );
}

function Row({ session: one }: { readonly session: Session }) {
  return (
    <li>
      <Link to="/sessions/$session" params={{ session: one.sessionId }} search={keepRange}>
        {one.projectName ?? one.cwd}
      </Link>
      <p className="facts">
        {isRunning(one) && (
          <span className="badge" data-kind="active">
            running
          </span>
        )}
        <Clock at={one.lastSeenAt} />
        <span>{one.agent}</span>
        <span>{one.model}</span>
        {one.branch !== undefined && <code>{one.branch}</code>}
        <span>{toCount(one.calls, 'call')}</span>
        <span className={one.failures > 0 ? 'bad' : ''}>{one.failures} failed</span>
      </p>
    </li>
  );
}
