/** Starts the dashboard: takes the token from the address, then shows the page of the address. */

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem, takeToken } from './client.ts';
import { LiveUpdates } from './parts/live-updates.tsx';
import { Notices } from './parts/notices.tsx';
import { router } from './router.tsx';
import './style.css';
import './shapes.css';

takeToken();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // A refusal stays a refusal; a daemon that starts again answers at the second try.
      retry: (failures, error) => error instanceof Problem && error.status === 0 && failures < 2,
    },
  },
});

const root = document.getElementById('root');
if (root !== null)
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
