import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Test } from 'tap';
import { client } from '../test/support/flows.js';
import { startMariadb } from '../test/support/mariadb-server.js';
import { bootstrapKey, type ServerProcess, startServer } from '../test/support/server-process.js';
import { delayRows, residentMb, tenths } from './figures.js';

/*
 * `npm run bench:conversations` (needs `mariadbd`): 20 people with the inbox open answer 200 visitors that follow their
 * conversations, over two processes on a MariaDB of its own. Delay of a message, statements per message, memory, and the
 * latency of another key, alone and beside them.
 */

const PEOPLE = 20;
const CONVERSATIONS = 200;
const ROUNDS = 3;
const PAUSE_MS = 50;
/** Pause between two requests of the other key. */
const LOOK_MS = 30;
const IDLE_MS = 10_000;

const closers: (() => unknown)[] = [];
const owner = { teardown: (close: () => unknown) => closers.unshift(close) } as unknown as Test;
const addressOf = (n: number): string => `10.1.${n >> 8}.${n & 255}`;

async function send<T>(
  url: string,
  method: string,
  { body, token, n = 0 }: { body?: object; token?: string; n?: number },
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': addressOf(n),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Follows a stream. Returns the response when it is open. */
const follow = (url: string, token: string, n: number, take: (text: string) => void) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': addressOf(n) };
    get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.setEncoding('utf8');
      response.on('data', take);
      response.on('error', () => {});
      resolve(response);
    }).on('error', reject);
  });

try {
  const { port } = await startMariadb(owner, []);
  const database = await createConnection({ host: '127.0.0.1', port, user: 'root' });
  closers.unshift(() => database.end());
  await database.query('CREATE DATABASE conversations');
  const statements = async (): Promise<number> => {
    const [[row]] = await database.query<RowDataPacket[]>(`SHOW GLOBAL STATUS LIKE 'Questions'`);
    return Number(row?.Value);
  };
  const servers: ServerProcess[] = [];
  for (const name of ['one', 'two']) {
    const dataDir = mkdtempSync(join(tmpdir(), `bench-conversations-${name}-`));
    closers.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const server = await startServer({
      dataDir,
      config: { http: { trustedProxies: ['127.0.0.1/32'], maxConnections: 2000 } },
      env: { DATABASE_URL: `mysql://root@127.0.0.1:${port}/conversations`, ROLES: 'api' },
    });
    closers.unshift(() => server.killAll());
    servers.push(server);
  }
  const apiOf = (n: number): string => `${servers[n % 2]?.baseUrl}/api/v2`;
  const { call } = client(servers[0]?.baseUrl ?? '', bootstrapKey);
  const newKey = async (name: string): Promise<string> =>
    (await call<{ secret: string }>('POST', '/keys', { name, scope: 'full' })).secret;
  const people: string[] = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await newKey(`person ${n}`));
  const other = client(servers[0]?.baseUrl ?? '', await newKey('other'));

  /** Latencies of a key that reads its agents until then, in ms. */
  const latenciesUntil = async (end: Promise<unknown>): Promise<number[]> => {
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    const found: number[] = [];
    while (!isOver) {
      const began = performance.now();
      await other.call('GET', '/agents');
      found.push(performance.now() - began);
      await pause(LOOK_MS);
    }
    return found;
  };

  const { id: agentId } = await call<{ id: string }>('POST', '/agents', { name: 'conversations' });
  const conversations: { id: string; token: string; path: string; person: string }[] = [];
  for (let n = 0; n < CONVERSATIONS; n++) {
    const visit = `${servers[n % 2]?.baseUrl}/widget/${agentId}/visitor`;
    const { token } = await send<{ token: string }>(visit, 'POST', {
      body: { origin: 'https://www.acme.com' },
      n,
    });
    const said = { message: 'Is anybody there?', stream: false };
    const { metadata } = await send<{ metadata: { conversationId: string } }>(
      `${apiOf(n)}/agents/${agentId}/chat`,
      'POST',
      { body: said, token, n },
    );
    const id = metadata.conversationId;
    const path = `/agents/${agentId}/conversations/${id}`;
    const person = people[n % PEOPLE] ?? '';
    await send(`${apiOf(n)}${path}`, 'PATCH', { body: { state: 'human' }, token: person });
    conversations.push({ id, token, path, person });
  }
  await latenciesUntil(pause(2000));
  const calm = await latenciesUntil(pause(IDLE_MS));
  const before = servers.map(({ pid }) => residentMb(pid) ?? 0);

  const written = new Map<string, number>();
  const delays: number[] = [];
  const open: IncomingMessage[] = [];
  for (const [n, { token, path }] of conversations.entries())
    open.push(
      // Not through the process to which the person writes.
      await follow(`${apiOf(n + 1)}${path}/events`, token, n, (text) => {
        for (const [, key = ''] of text.matchAll(/"text":"answer (\d+)"/g))
          delays.push(performance.now() - (written.get(key) ?? 0));
      }),
    );
  for (const [n, person] of people.entries())
    open.push(await follow(`${apiOf(n)}/inbox/events`, person, n, () => {}));

  const idleFrom = await statements();
  await latenciesUntil(pause(IDLE_MS));
  const idlePerSecond = ((await statements()) - idleFrom) / (IDLE_MS / 1000);

  let finish = (): void => {};
  const busy = latenciesUntil(
    new Promise<void>((resolve) => {
      finish = resolve;
    }),
  );
  const began = performance.now();
  const from = await statements();
  let messages = 0;
  for (let round = 0; round < ROUNDS; round++)
    for (const [n, { id, token, path, person }] of conversations.entries()) {
      const question = { message: `question ${round}`, conversationId: id, stream: false };
      await send(`${apiOf(n)}/agents/${agentId}/chat`, 'POST', { body: question, token, n });
      await pause(PAUSE_MS);
      const key = String(round * CONVERSATIONS + n);
      written.set(key, performance.now());
      await send(`${apiOf(n)}${path}/messages`, 'POST', { body: { text: `answer ${key}` }, token: person });
      await pause(PAUSE_MS);
      messages += 2;
    }
  const seconds = (performance.now() - began) / 1000;
  finish();
  const used = (await statements()) - from - idlePerSecond * seconds;
  const beside = await busy;
  await pause(2000);
  const grown = servers.map(({ pid }, n) => Math.round((residentMb(pid) ?? 0) - (before[n] ?? 0)));
  console.table({
    conversations: CONVERSATIONS,
    people: PEOPLE,
    messages,
    'messages a second': tenths(messages / seconds),
    'answers received': delays.length,
    ...delayRows('delay', delays),
    'statements per message': tenths(used / messages),
    'statements a second, idle': tenths(idlePerSecond),
    'memory of the processes, MB more': grown.join(' and '),
    ...delayRows('key alone', calm),
    ...delayRows('key beside', beside),
  });
  for (const response of open) response.destroy();
} finally {
  for (const close of closers) await close();
}
process.exit();
