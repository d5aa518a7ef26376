/** Draws every page into a folder of pictures. Fails if a page cannot be drawn: it shows an error, or nothing. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Dashboard, settle } from './open-dashboard.ts';

export const PAGES = ['/', '/failures', '/lessons', '/review', '/sessions', '/promotions', '/agents', '/settings'];

interface Given {
  readonly folder: string;
  readonly widths: readonly number[];
  readonly schemes: readonly ('light' | 'dark')[];
}

/** The names of the pictures. */
export async function drawPages(board: Dashboard, { folder, widths, schemes }: Given): Promise<readonly string[]> {
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
  const files: string[] = [];
  for (const width of widths)
    for (const colorScheme of schemes)
      for (const path of paths) {
        const { page, context, complaints } = await board.visit(path, {
          viewport: { width, height: 900 },
          colorScheme,
        });
        await settle(page);
        assert.equal(await page.getByRole('alert').count(), 0, path);
        assert.notEqual(await page.locator('h1').innerText(), '', path);
        assert.deepEqual(complaints, [], path);
        const name = path.split('/').slice(0, 2).join('') || 'overview';
        const one = path.split('/').length > 2 ? '-one' : '';
        const file = join(folder, `${name}${one}-${width}-${colorScheme}.png`);
        await page.screenshot({ path: file });
        files.push(file);
        await context.close();
      }
  return files;
}
