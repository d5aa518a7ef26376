/**
 * The dashboard in a real Chromium, served by a real daemon that has read the sample sessions. On Linux the browser comes
 * with a package; elsewhere `ONCEBITTEN_BROWSER` names one, or the tests say that they were skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import packaged from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { openStory, type Story } from '../stories/open-story.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/sessions');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Test machines are slow at times. A test that passes never waits so long. */
const PATIENCE_MS = 120_000;

export const SKIP =
  process.env.ONCEBITTEN_BROWSER === undefined && process.platform !== 'linux'
    ? 'no browser: name one with ONCEBITTEN_BROWSER'
    : false;

export interface Dashboard {
  readonly story: Story;
  readonly browser: Browser;
  /** `http://127.0.0.1:1234`. */
  readonly origin: string;
  readonly token: string;
  /** A page of the dashboard in a window of its own, with the token. */
  visit(path: string, how?: Parameters<Browser['newContext']>[0]): Promise<Visit>;
  close(): Promise<void>;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page complained of: errors of scripts, refused loads. */
  readonly complaints: readonly string[];
}

interface Given {
  /** Reads the sample sessions, unless false. */
  readonly hasSamples?: boolean;
  /** Installs the hooks into an agent, unless false. */
  readonly isConnected?: boolean;
}

export async function openDashboard({ hasSamples = true, isConnected = true }: Given = {}): Promise<Dashboard> {
  const story = await openStory({ install: isConnected });
  if (hasSamples) await story.cli('scan', '--agent', 'claude-code', '--path', SAMPLES);
  const { url } = (await story.cli('open', '--print')) as { readonly url: string };
  const { origin, hash } = new URL(url);
  const browser = await launchBrowser();
  return {
    ...{ story, browser, origin },
    token: new URLSearchParams(hash.slice(1)).get('token') ?? '',
    async visit(path, how = {}) {
      const context = await browser.newContext(how);
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`${origin}${path}${hash}`);
      return { page, context, complaints };
    },
    async close() {
      await browser.close();
      await story.close();
    },
  };
}

/** The flags that the package brings switch security off and share one process; these are those that a container needs. */
const FLAGS = ['--no-sandbox', '--no-zygote', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'];
const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/oncebitten-browser');

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.ONCEBITTEN_BROWSER ?? (await unpack());
  return chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS });
}

/**
 * The package unpacks into the temporary folder, which is another one at each run; unpacking takes seconds. Test files run
 * at the same time, so each unpacks into a folder of its own, and the first to finish gives its folder the common name.
 */
async function unpack(): Promise<string> {
  const program = join(UNPACKED, 'chromium');
  if (existsSync(program)) return program;
  const own = `${UNPACKED}-${process.pid}`;
  const { TMPDIR } = process.env;
  mkdirSync(own, { recursive: true });
  process.env.TMPDIR = own;
  try {
    await packaged.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  try {
    renameSync(own, UNPACKED);
  } catch (error) {
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return program;
}

/** Fails if a person with a screen reader or a keyboard would be in serious trouble on this page. */
export async function checkAccess(page: Page): Promise<void> {
  // Evaluated through the debugger, so the content security policy of the page stays as it is.
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    interface Violation {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly html: string }[];
    }
    return (await axe.run()).violations.map(({ id, impact, nodes }) => ({ id, impact, first: nodes[0]?.html }));
  });
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(serious, []);
}

/**
 * Waits until nothing on the page is loading. Only for a page that was just opened: after a click, the old page passes,
 * too, so wait for what the new one shows.
 */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1, .trouble, .empty').first().waitFor();
  const waiting = page.locator('.skeleton');
  while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: 'detached' });
}

/** Waits until a check passes that no text of the page shows; fails as the check does. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const endMs = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > endMs) throw error;
    }
    await sleep(50);
  }
}
