/** The frame of every page: navigation, filter, content. */

import { Link, Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { keepRange } from '../filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { Paused } from './pause-switch.tsx';
import { useWaiting } from './waiting.ts';
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

export function Shell() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isFiltered = useMatches({ select: (matches) => matches.at(-1)?.staticData.isFiltered === true });
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
        <Names path={path} />
      </header>
      <div className="page">
        <Paused />
        {isFiltered && <FilterBar />}
        <main id="content" ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

/** On a narrow screen the names of the pages stand in one line that scrolls. */
function Names({ path }: { readonly path: string }) {
  const waiting = useWaiting();
  const nav = useRef<HTMLElement>(null);
  // The names move when the number appears.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the page and the number
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path, waiting]);
  return (
    <nav aria-label="Pages" ref={nav}>
      <ul>
        {PAGES.map(([to, name]) => (
          <li key={to}>
            <Link to={to} search={keepRange} activeOptions={{ exact: to === '/', includeSearch: false }}>
              {name}
              {to === '/review' && waiting > 0 && (
                <span className="count">
                  {toNumber(waiting)}
                  <span className="sr"> waiting</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
