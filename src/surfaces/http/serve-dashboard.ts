/**
 * The files of the dashboard. They hold no data, so they need no token; the page asks the API with the token that
 * `oncebitten open` gave it. Every address that is no file is a page of the dashboard.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Hono } from 'hono';
import { findDist } from '../../loop/home/program-files.ts';
import { refuse } from './make-app.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const START = '/index.html';

export function makeDashboardRoute(dir = join(findDist(), 'dashboard')): Hono {
  const files = readFiles(dir);
  const start = files.get(START);
  const route = new Hono();
  route.get('*', (c) => {
    const file = files.get(c.req.path);
    const isAsset = c.req.path.startsWith('/assets/');
    if (file === undefined && (isAsset || start === undefined)) return refuse(404, { ...NO_FILE, subject: c.req.path });
    // The name of an asset has the hash of its content.
    c.header('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    c.header('Content-Type', TYPES[file === undefined ? '.html' : extname(c.req.path)] ?? 'application/octet-stream');
    return c.body(file ?? start ?? new Uint8Array());
  });
  return route;
}

/** They are few and small, and the daemon's program folder may go away while it runs. */
function readFiles(dir: string): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  if (!existsSync(dir)) return new Map();
  const names = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(dir.length).replaceAll('\\', '/'), new Uint8Array(readFileSync(path))];
    }),
  );
}

const NO_FILE = { reason: 'is not a file of the dashboard', next: 'run `oncebitten open`' };
