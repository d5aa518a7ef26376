/** The addresses of the pages. The filter is part of every address, so that a link shows the same thing to everybody. */

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { toFilter } from './filter.ts';
import { Shell } from './parts/shell.tsx';
import { NotFound } from './parts/states.tsx';

const root = createRootRoute({ component: Shell, validateSearch: toFilter, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview.tsx'), 'Overview'),
});
const lessons = createRoute({
  getParentRoute: () => root,
  path: '/lessons',
  component: lazyRouteComponent(() => import('./pages/lessons.tsx'), 'Lessons'),
});
const lesson = createRoute({
  getParentRoute: () => root,
  path: '/lessons/$lesson',
  component: lazyRouteComponent(() => import('./pages/lesson.tsx'), 'LessonPage'),
});
const review = createRoute({
  getParentRoute: () => root,
  path: '/review',
  component: lazyRouteComponent(() => import('./pages/review.tsx'), 'Review'),
});

const failures = createRoute({
  getParentRoute: () => root,
  path: '/failures',
  component: lazyRouteComponent(() => import('./pages/failures.tsx'), 'Failures'),
});
const failure = createRoute({
  getParentRoute: () => root,
  path: '/failures/$signature',
  component: lazyRouteComponent(() => import('./pages/failure.tsx'), 'FailurePage'),
});
const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./pages/sessions.tsx'), 'Sessions'),
});
const session = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$session',
  component: lazyRouteComponent(() => import('./pages/session.tsx'), 'SessionPage'),
});
const promotions = createRoute({
  getParentRoute: () => root,
  path: '/promotions',
  component: lazyRouteComponent(() => import('./pages/promotions.tsx'), 'Promotions'),
});
const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(() => import('./pages/agents.tsx'), 'Agents'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'Settings'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    failures,
    failure,
    lessons,
    lesson,
    review,
    sessions,
    session,
    promotions,
    agents,
    settings,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
