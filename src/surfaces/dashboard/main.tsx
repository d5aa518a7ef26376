/** Starts the dashboard: gets the token, then shows the page of the address. */

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './client.ts';
import { LiveUpdates } from './parts/live-updates.tsx';
import { Notices } from './parts/notices.tsx';
import { router } from './router.tsx';
import { getToken } from './token.ts';
import './style.css';
import './shapes.css';
import './overlays.css';

// The daemon is on this machine, so it answers without a network, too.
const networkMode = 'always';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // A refusal stays a refusal; a daemon that starts again answers at the second try.
      retry: (failures, error) => error instanceof Problem && error.status === 0 && failures < 2,
    },
    mutations: { networkMode },
  },
});

function show(): void {
  const root = document.getElementById('root');
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Notices>
          <LiveUpdates />
          <RouterProvider router={router} />
        </Notices>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void getToken(() => void queries.invalidateQueries()).then(show);
