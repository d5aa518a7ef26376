/** The frame of every page: navigation, filter, content. */

import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { FilterBar } from './filter-bar.tsx';

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
        <Link to="/" className="brand" search={keep}>
          <img src="/icon.svg" alt="" width="24" height="24" />
          Oncebitten
        </Link>
        <nav aria-label="Pages">
          <ul>
            {PAGES.map(([to, name]) => (
              <li key={to}>
                <Link to={to} search={keep} activeOptions={{ exact: to === '/', includeSearch: false }}>
                  {name}
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

/** The filter goes along to the next page, the searched text does not. */
function keep({ q: _q, ...filter }: Record<string, unknown>): Record<string, unknown> {
  return filter;
}
