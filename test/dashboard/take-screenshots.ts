/**
 * `npm run screenshots [-- DIR]`: pictures of every page with the sample sessions. Without DIR it writes the picture of the
 * documentation anew; with DIR it writes all pages in three widths, light and dark, to look at.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDashboard, settle } from './open-dashboard.ts';

const PICTURE = join(import.meta.dirname, '../../docs/images/dashboard.png');
const PAGES = ['/', '/failures', '/lessons', '/review', '/sessions', '/promotions', '/agents', '/settings'];
const WIDTHS = [360, 1024, 1600];

const dir = process.argv[2];
const board = await openDashboard();
try {
  if (dir === undefined) await takePicture();
  else await takeAll(dir);
} finally {
  await board.close();
}

async function takePicture(): Promise<void> {
  const { page } = await board.visit('/', { viewport: { width: 1200, height: 760 }, colorScheme: 'light' });
  await settle(page);
  mkdirSync(join(PICTURE, '..'), { recursive: true });
  await page.screenshot({ path: PICTURE });
}

async function takeAll(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const [lesson] = await board.story.list<{ slug: string }>('lessons', 'list');
  const [kind] = await board.story.list<{ signature: string }>('sessions', 'failures');
  const [session] = await board.story.list<{ sessionId: string }>('sessions');
  const paths = [
    ...PAGES,
    `/lessons/${lesson?.slug}`,
    `/failures/${kind?.signature}`,
    `/sessions/${session?.sessionId}`,
  ];
  for (const width of WIDTHS)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const path of paths) {
        const { page, context } = await board.visit(path, { viewport: { width, height: 900 }, colorScheme });
        await settle(page);
        const name = path.split('/').slice(0, 2).join('') || 'overview';
        const one = path.split('/').length > 2 ? '-one' : '';
        await page.screenshot({ path: join(folder, `${name}${one}-${width}-${colorScheme}.png`) });
        await context.close();
      }
}
