/** The frame of every page: navigation, filter, content. */

import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ask } from '../client.ts';
import { keepRange } from '../filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { toNumber } from './words.tsx';

const PAGES = [
  ['/', 'Overview'],
  ['/failures', 'Failures'],
  ['/lessons', 'Lessons'],
  ['/review', 'Review'],
  ['/sessions', 'Sessions'],
  ['/promotions', 'Promotions'],
  ['/agents', 'Agents and health'],
  ['/settings', 'Settings'],
] as const;

/** Pages about this machine, not about calls. */
const UNFILTERED: ReadonlySet<string> = new Set(['/promotions', '/agents', '/settings']);

/** How many lessons wait for a decision. */
function Waiting() {
  const { data } = useQuery({
    queryKey: ['lessons', 'waiting'],
    queryFn: ({ signal }) => ask('listLessons', { query: { needsReview: 'true', limit: '1' } }, signal),
  });
  if (data === undefined || data.total === 0) return null;
  return (
    <span className="count">
      {toNumber(data.total)}
      <span className="sr"> waiting</span>
    </span>
  );
}

export function Shell() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A screen reader hears the new page, as it would after a page load.
  useEffect(() => {
    if (!isFirst.current && path !== '') main.current?.focus();
    isFirst.current = false;
  }, [path]);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="side">
        <Link to="/" className="brand" search={keepRange}>
          <img src="/icon.svg" alt="" width="24" height="24" />
          Oncebitten
        </Link>
        <nav aria-label="Pages">
          <ul>
            {PAGES.map(([to, name]) => (
              <li key={to}>
                <Link to={to} search={keepRange} activeOptions={{ exact: to === '/', includeSearch: false }}>
                  {name}
                  {to === '/review' && <Waiting />}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <div className="page">
        {!UNFILTERED.has(path) && <FilterBar />}
        <main id="content" ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}
