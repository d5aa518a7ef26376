/** How the dashboard is bundled. `scripts/build.ts` says where to. */

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  logLevel: 'warn',
  // The content security policy allows no inline data.
  // All pages are one bundle (see router.tsx), and it comes from this machine.
  build: { assetsInlineLimit: 0, emptyOutDir: true, chunkSizeWarningLimit: 1000 },
});
