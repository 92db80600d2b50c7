import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFakePlatform } from '../../test/support/fake-platform.js';
import { client } from '../../test/support/flows.js';
import { bootstrapKey, startServer } from '../../test/support/server-process.js';

/*
 * Starts Cadre beside a fake platform and connects an agent. Type messages as a person on the platform; the answers of the
 * agent appear below them. Everything is removed at the end.
 */

const ACCOUNT = '17841400';
const PERSON = '9001';
const POLL_MS = 100;
/** How long to wait for an answer before the example ends. */
const LAST_MS = 10_000;

const platform = await startFakePlatform();
const { token } = platform.account(ACCOUNT, { username: 'acme' });
const dataDir = mkdtempSync(join(tmpdir(), 'cadre-social-'));
const config = { plugins: { channel: { use: 'graph', options: platform.options } } };
const server = await startServer({ dataDir, config });
platform.hooks = [`${server.baseUrl}/hooks/social`];

const api = client(server.baseUrl, bootstrapKey);
const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'Acme' });
for (const [title, content] of [
  ['Opening hours', 'Our shop is open from nine to five, Monday to Saturday.'],
  ['Returns', 'You can return everything within 30 days.'],
])
  await api.call('POST', `/agents/${id}/sources/text`, { title, content });
await api.call('POST', `/agents/${id}/channels/social`, { accessToken: token });
await api.call('POST', `/agents/${id}/channels/social/automations`, {
  type: 'comment_to_dm',
  name: 'Prices',
  status: 'live',
  postScope: 'any',
  keywords: ['price'],
  message: 'Here is our price list: https://acme.com/prices',
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);
print('You are a person on a social platform and write to the account @acme.');
print('Try "When are you open?" or, as a comment below a post, "/comment What is the price?". Ctrl+D ends.');

let shown = 0;
const show = (): void => {
  const texts = platform.received(ACCOUNT, PERSON);
  for (const text of texts.slice(shown)) print(`acme: ${text}`);
  shown = texts.length;
};
const watching = setInterval(show, POLL_MS);

let written = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [, comment] = /^\/comment (.*)$/.exec(line) ?? [];
  if (line.trim() === '') continue;
  written += 1;
  if (comment === undefined) await platform.write(ACCOUNT, PERSON, line);
  else await platform.deliver(platform.event.comment(ACCOUNT, PERSON, '17900', comment));
}
for (let waited = 0; shown < written && waited < LAST_MS; waited += POLL_MS) await sleep(POLL_MS);
clearInterval(watching);
show();
await server.stop();
await platform.close();
rmSync(dataDir, { recursive: true, force: true });
