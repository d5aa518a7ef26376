/** `oncebitten open`: starts the daemon, and opens the dashboard in the browser. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readSettings } from '../../../keep/settings/read-settings.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { writeOwnFile } from '../../../loop/home/write-file.ts';
import { ensureDaemon, findDaemon } from '../../daemon/control-daemon.ts';
import { type HttpAddress, readHttpFile } from '../../http/http-file.ts';
import type { Handler } from '../command.ts';
import { userError } from '../errors.ts';

export const run: Handler = async ({ home, options, env }) => {
  if (!readSettings(home.configFile, env).http.enabled)
    throw userError('the dashboard', 'is switched off', 'switch it on: oncebitten config set http.enabled true');
  await ensureDaemon(home);
  const address = await findAddress(home);
  const url = toDashboardUrl(address);
  if (options.print === true) return { json: { url }, text: url };
  const file = writeDoor(home, url);
  const isOpened = await openInBrowser(file, env);
  const text = isOpened
    ? `Your browser opens the dashboard at http://127.0.0.1:${address.port}/.\nIf it does not, open this file in it: ${file}`
    : `There is no browser to open here. On this machine, open this file in a browser: ${file}`;
  return { json: { opened: isOpened, file }, text };
};

const WAIT_MS = 20_000;
const STEP_MS = 50;

/** A daemon that has just started opens its port a moment later. */
async function findAddress(home: DataHome): Promise<HttpAddress> {
  for (let waited = 0; waited < WAIT_MS; waited += STEP_MS) {
    const address = readHttpFile(home);
    if (address !== undefined && (await findDaemon(home))?.httpPort === address.port) return address;
    await sleep(STEP_MS);
  }
  throw userError('the dashboard', 'does not answer', `read ${home.logFile}, or run: oncebitten doctor`);
}

/** Browsers do not send the part behind the `#`, so the token is in no log. */
function toDashboardUrl({ port, token }: HttpAddress): string {
  return `http://127.0.0.1:${port}/#token=${token}`;
}

/** A page that only this user can read leads to the dashboard: the words of a command are visible to every user. */
function writeDoor({ runDir }: DataHome, url: string): string {
  const file = join(runDir, 'dashboard.html');
  const page = `<!doctype html><meta charset="utf-8"><title>Oncebitten</title><meta http-equiv="refresh" content="0; url=${url}"><a href="${url}">Open the dashboard</a>\n`;
  writeOwnFile(file, page);
  return file;
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** False if there is no program that opens a page, or no screen. */
function openInBrowser(file: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { platform } = process;
  const hasScreen = platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  const [program = 'xdg-open', ...words] = [...(env.BROWSER ? [env.BROWSER] : (OPENERS[platform] ?? ['xdg-open']))];
  if (!hasScreen && !env.BROWSER) return Promise.resolve(false);
  return new Promise((done) => {
    const child = spawn(program, [...words, pathToFileURL(file).href], { detached: true, stdio: 'ignore', env });
    child.on('error', () => done(false));
    child.on('spawn', () => {
      child.unref();
      done(true);
    });
  });
}
