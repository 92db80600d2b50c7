import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { bootstrapKey, type ServerProcess, startServer } from '../../support/server-process.js';
import { tempFolder } from '../../support/temp-folder.js';
import { openBrowser } from './browser.js';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 860 };
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
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return { page, server, dataDir, asked, complaints };
}

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(bootstrapKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
}
