import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { bootstrapKey, type ServerProcess, startServer } from '../../support/server-process.js';
import { tempFolder } from '../../support/temp-folder.js';
import { openBrowser } from './browser.js';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 860 };
/** As the console's own, in milliseconds. */
const UNDO_MS = 10_000;
/** Generous for busy machines. */
const PATIENCE_MS = 180_000;

interface OpenConsole {
  page: Page;
  server: ServerProcess;
  dataDir: string;
  /** Addresses requested by the browser. */
  asked: string[];
  /** Errors and blocked loads reported by the browser. */
  complaints: string[];
}

/** A real service with this configuration, and a browser that can open its console. */
export async function openConsole(t: Test, config: object): Promise<OpenConsole> {
  const browser = openBrowser();
  t.teardown(() => browser.close());
  const dataDir = tempFolder(t);
  const server = await startServer({ dataDir, config });
  t.teardown(() => server.killAll());
  // A context that may have further tabs.
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(delayUndoEnds, { from: UNDO_MS, to: PATIENCE_MS });
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return { page, server, dataDir, asked, complaints };
}

/** In the browser: an undo stays possible for as long as a test may need on a busy machine. */
function delayUndoEnds({ from, to }: { from: number; to: number }): void {
  const { setTimeout: original } = globalThis;
  const delayed = (run: () => void, ms?: number, ...more: []) =>
    original(run, ms === from ? to : ms, ...more);
  globalThis.setTimeout = Object.assign(delayed, original);
}

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(bootstrapKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
}
