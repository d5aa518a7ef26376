/** The thread of the daemon that answers HTTP requests. It opens the store for each request, as a command does. */

import { parentPort, workerData } from 'node:worker_threads';
import { serve } from '@hono/node-server';
import { toDataHome } from '../../loop/home/data-home.ts';
import { makeKeptRun } from '../api/kept-answers.ts';
import { makeApi } from '../api/make-api.ts';
import { makeRunCommand } from '../api/run-command.ts';
import { makeReadStamp } from '../api/store-stamp.ts';
import { makeWatch } from '../api/watch-store.ts';
import { makeMcpRoute } from '../mcp/serve-http.ts';
import { makeHttpApp } from './make-app.ts';
import type { ThreadMessage, ThreadOptions } from './open-listener.ts';
import { makeDashboardRoute } from './serve-dashboard.ts';

/** A client that sends its request slower than this is cut off. */
const REQUEST_MS = 30_000;

const { dataDir, port, token } = workerData as ThreadOptions;
const home = toDataHome(dataDir);
const log = (line: string): void => tell({ kind: 'log', line });
const run = makeRunCommand({ home, env: process.env, cwd: home.dir });
const readStamp = makeReadStamp({ home, env: process.env });
const app = makeHttpApp({
  ...{ port, token, log },
  mounts: {
    '/mcp': makeMcpRoute({ home, env: process.env, cwd: undefined }),
    '/api': makeApi({ run, runKept: makeKeptRun(run, readStamp), watch: makeWatch(readStamp), log }),
  },
  open: makeDashboardRoute(),
});
const serverOptions = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS };
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0, serverOptions }, (address) =>
  tell({ kind: 'listening', port: address.port }),
);

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
