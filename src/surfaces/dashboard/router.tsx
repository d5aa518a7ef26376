/**
 * The addresses of the pages. The filter is part of every address, so that a link shows the same thing to everybody. All
 * pages are in one bundle, because a page that is loaded later is missing once the daemon has stopped.
 */

import { createRootRoute, createRoute, createRouter, type RouteComponent } from '@tanstack/react-router';
import { toFilter } from './filter.ts';
import { Agents } from './pages/agents.tsx';
import { FailurePage } from './pages/failure.tsx';
import { Failures } from './pages/failures.tsx';
import { LessonPage } from './pages/lesson.tsx';
import { Lessons } from './pages/lessons.tsx';
import { Overview } from './pages/overview.tsx';
import { Promotions } from './pages/promotions.tsx';
import { Review } from './pages/review.tsx';
import { SessionPage } from './pages/session.tsx';
import { Sessions } from './pages/sessions.tsx';
import { Settings } from './pages/settings.tsx';
import { Shell } from './parts/shell.tsx';
import { NotFound, Trouble } from './parts/states.tsx';

const root = createRootRoute({ component: Shell, validateSearch: toFilter, notFoundComponent: NotFound });

/** A page whose content the filter at the top narrows down. */
function filtered<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component, staticData: { isFiltered: true } });
}

/** A page about one thing or about this machine: the filter only goes along to the next page. */
function whole<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component });
}

export const router = createRouter({
  routeTree: root.addChildren([
    filtered('/', Overview),
    filtered('/failures', Failures),
    filtered('/failures/$signature', FailurePage),
    filtered('/lessons', Lessons),
    whole('/lessons/$lesson', LessonPage),
    filtered('/review', Review),
    filtered('/sessions', Sessions),
    whole('/sessions/$session', SessionPage),
    whole('/promotions', Promotions),
    whole('/agents', Agents),
    whole('/settings', Settings),
  ]),
  defaultErrorComponent: ({ error }) => <Trouble error={error as Error} />,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    isFiltered?: true;
  }
}
