import type { BrowserContextOptions, Frame, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { type ApiClient, apiClient } from '../../support/api-client.js';
import { loopbackServer } from '../../support/loopback-server.js';
import { bootstrapKey, type ServerProcess, startServer } from '../../support/server-process.js';
import { tempFolder } from '../../support/temp-folder.js';
import { openBrowser } from '../console/browser.js';

/** Generous for busy machines. */
const PATIENCE_MS = 180_000;

export interface Installation {
  server: ServerProcess;
  dataDir: string;
  api: ApiClient;
  /** Creates an agent with these settings by group. */
  agent(settings?: { [group: string]: object }, name?: string): Promise<string>;
}

/** A real service that serves the built widget. */
export async function startInstallation(t: Test, config: object = {}): Promise<Installation> {
  const dataDir = tempFolder(t);
  const server = await startServer({ dataDir, config });
  t.teardown(() => server.killAll());
  const api = apiClient(server.baseUrl, bootstrapKey);
  return {
    server,
    dataDir,
    api,
    async agent(settings = {}, name = 'Acme Help') {
      const { id } = await api.agent(name);
      for (const [group, patch] of Object.entries(settings)) {
        const { status, text } = await api.patch(`/agents/${id}/settings/${group}`, patch);
        if (status !== 200) throw new Error(text);
      }
      return id;
    },
  };
}

interface HostOptions {
  /** The tags of the page; by default one for the agent. */
  html?: string;
  /** Attributes of the tag. */
  attributes?: string;
  headers?: Record<string, string>;
  /** A context of its own with these options; for tests that install scripts or a clock, too. */
  browser?: BrowserContextOptions;
}

export interface Host {
  page: Page;
  url: string;
  /** Addresses requested by the browser. */
  asked: string[];
  /** Errors and warnings of the browser. */
  complaints: string[];
  /** The frame of the widget, when its bubble is there. */
  frame(): Promise<Frame>;
  /** Opens the panel by its bubble. Returns the dialog. */
  open(): Promise<{ frame: Frame; panel: Locator }>;
}

export const tag = (baseUrl: string, agentId: string, attributes = ''): string =>
  `<script src="${baseUrl}/widget.js" data-agent-id="${agentId}" async ${attributes}></script>`;

const contextOptions: BrowserContextOptions = {
  viewport: { width: 1280, height: 860 },
  reducedMotion: 'reduce',
};
let shared: Promise<Page> | null = null;

/** The page that tests share, because a new one starts two processes. Each host has an origin of its own. */
async function sharedPage(): Promise<Page> {
  shared ??= openBrowser()
    .newContext(contextOptions)
    .then((context) => context.newPage());
  const page = await shared;
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize({ width: 1280, height: 860 });
  return page;
}

async function ownPage(t: Test, options: BrowserContextOptions): Promise<Page> {
  const context = await openBrowser().newContext({ ...contextOptions, ...options });
  t.teardown(() => context.close());
  return context.newPage();
}

/** Opens a page of another site that embeds the agent. Without `browser`, it replaces the page of the last call. */
export async function openHost(
  t: Test,
  { server }: Pick<Installation, 'server'>,
  agentId: string,
  { html, attributes = '', headers = {}, browser }: HostOptions = {},
): Promise<Host> {
  const body = html ?? `<h1>A site</h1>${tag(server.baseUrl, agentId, attributes)}`;
  const origin = await loopbackServer(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(
      `<!doctype html><html lang="en"><head><title>A site</title></head><body>${body}</body></html>`,
    );
  });
  // A name of this machine that is of another site than the address of the service.
  const url = origin.replace('127.0.0.1', 'localhost');
  const page = await (browser ? ownPage(t, browser) : sharedPage());
  page.setDefaultTimeout(PATIENCE_MS);
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  const isWidget = (frame: Frame): boolean => frame.url().startsWith(`${server.baseUrl}/widget/`);
  const host: Host = {
    page,
    url,
    asked,
    complaints,
    async frame() {
      const found = page.frames().find(isWidget);
      const frame =
        found ?? (await page.waitForEvent('framenavigated', { predicate: isWidget, timeout: PATIENCE_MS }));
      await frame.locator('.bubble').waitFor({ state: 'attached' });
      return frame;
    },
    async open() {
      const frame = await host.frame();
      await frame.locator('.bubble[aria-expanded="false"]').click();
      const panel = frame.getByRole('dialog');
      await panel.waitFor();
      return { frame, panel };
    },
  };
  await page.goto(url);
  return host;
}

/* Globals of the browser, for functions that run there. */
declare const getComputedStyle: (of: unknown) => { getPropertyValue(name: string): string };
declare const document: { documentElement: { lang: string; dir: string } };

/** The computed value of a style property. */
export const styleOf = (locator: Locator, property: string): Promise<string> =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** Language and direction of a page. */
export const languageOf = (frame: Frame): Promise<string[]> =>
  frame.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
