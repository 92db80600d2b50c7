import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../test/support/flows.js';
import { bootstrapKey, startServer } from '../test/support/server-process.js';
import { openBrowser } from '../test/web/console/browser.js';
import { median } from './figures.js';

/*
 * `npm run bench:console-start`: opens pages of the console without a cache in Chromium, whose processor is throttled to
 * a quarter. Prints the time until the main control of the page is painted and the page answers events, and the bytes
 * loaded until then.
 */

const RUNS = 9;
const THROTTLING = 4;

const dataDir = mkdtempSync(join(tmpdir(), 'bench-console-'));
const server = await startServer({ dataDir });
const { call } = client(server.baseUrl, bootstrapKey);
const browser = openBrowser();

/** For the page: reports when the element is there and painted, and the page is free. */
const watch = ({ control, key }: Opened): string => `
  ${key === null ? '' : `sessionStorage.setItem('cadre.key', '${key}');`}
  new MutationObserver((_, observer) => {
    if (!document.querySelector('${control}')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => console.log('usable', performance.now())));
  }).observe(document, { childList: true, subtree: true });
`;

interface Opened {
  /** Hash of the address. */
  place: string;
  /** Selector of the main control. */
  control: string;
  key: string | null;
}

async function open(opened: Opened) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(watch(opened));
  // A message, because asking the page would take its time.
  const reported = page.waitForEvent('console', (message) => message.text().startsWith('usable'));
  await page.goto(`${server.baseUrl}/console${opened.place}`);
  const ms = Number((await reported).text().split(' ')[1]);
  await context.close();
  return { ms, bytes };
}

try {
  const { id } = await call<{ id: string }>('POST', '/agents', { name: 'Harbour Bicycles' });
  const pages = {
    'Sign in': { place: '', control: '#key', key: null },
    Agents: { place: '#/agents', control: 'main button.primary', key: bootstrapKey },
    Ask: { place: `#/agents/${id}/ask`, control: 'main textarea', key: bootstrapKey },
  };
  const rows = [];
  for (const [page, opened] of Object.entries(pages)) {
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await open(opened));
    const times = runs.map(({ ms }) => ms);
    rows.push({
      page,
      'median, ms': Math.round(median(times)),
      'least, ms': Math.round(Math.min(...times)),
      'loaded, kB': Math.round(median(runs.map(({ bytes }) => bytes)) / 100) / 10,
    });
  }
  console.table(rows);
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
