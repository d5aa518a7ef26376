/**
 * `npm run screenshots [-- DIR]`: pictures of every page with the sample sessions. Without DIR it writes the picture of the
 * documentation anew; with DIR it writes all pages in three widths, light and dark, to look at.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { drawPages } from './draw-pages.ts';
import { openDashboard, settle } from './open-dashboard.ts';

const PICTURE = join(import.meta.dirname, '../../docs/images/dashboard.png');

const folder = process.argv[2];
const board = await openDashboard();
try {
  if (folder === undefined) await takePicture();
  else await drawPages(board, { folder, widths: [360, 1024, 1600], schemes: ['light', 'dark'] });
} finally {
  await board.close();
}

async function takePicture(): Promise<void> {
  const { page } = await board.visit('/', { viewport: { width: 1200, height: 760 }, colorScheme: 'light' });
  await settle(page);
  mkdirSync(join(PICTURE, '..'), { recursive: true });
  await page.screenshot({ path: PICTURE });
}
