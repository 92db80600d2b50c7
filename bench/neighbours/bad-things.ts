import type { Client } from '../../test/support/flows.js';
import { pdf } from '../../test/support/sample-files.js';
import type { TarpitSite } from '../../test/support/tarpit-site.js';
import { pages as bigAgentPages } from './many-pages.js';
import { dripping, keepOpen, oneByteChunks, type Raw, silent, unread } from './raw-requests.js';

/** Who does it, and to what. */
export interface Attacker extends Raw {
  api: Client;
  /** An agent with 262,144 bytes of settings, nearly. */
  bigSettings: string;
  /** An agent with twenty pages. */
  twentyPages: string;
  /** An agent with 20,000 pages. */
  manyPages: string;
  site: TarpitSite;
}

export interface BadThing {
  name: string;
  /** Goes on until `over`; what it gets for an answer is its own affair. */
  run(attacker: Attacker, over: () => boolean): Promise<void>;
}

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** `lanes` clients, each with one request after the other; refusals are expected. */
async function lanes(
  count: number,
  over: () => boolean,
  ask: (lane: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    times(count, async (lane) => {
      while (!over()) await ask(lane).catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
    }),
  );
}

const newAgent = async (api: Client): Promise<string> =>
  (await api.call<{ id: string }>('POST', '/agents', { name: 'agent' })).id;

const addUrls = async (api: Client, agentId: string, urls: string[]): Promise<void> => {
  for (const url of urls) await api.call('POST', `/agents/${agentId}/sources/url`, { url }).catch(() => {});
};

const until = (over: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = setInterval(() => {
      if (!over()) return;
      clearInterval(look);
      resolve();
    }, 50);
  });

const fields = (count: number): object => Object.fromEntries(times(count, (n) => [`field ${n}`, 1]));

const newTools = (): object[] =>
  times(32, (n) => ({
    name: `tool_${n}`,
    description: 'A tool.',
    inputSchema: { type: 'object', title: crypto.randomUUID(), properties: { a: { type: 'string' } } },
  }));

/** Sends a request with a new Idempotency-Key. */
const sendJson = ({ origin, key }: Raw, method: string, path: string, body: object): Promise<Response> =>
  fetch(`${origin}/api/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });

const fullBody = `{"name":"x","filler":"${'y'.repeat(2 * 1024 * 1024 - 100)}"}`;

/** What one key can try against the others of an installation. */
export const badThings: readonly BadThing[] = [
  {
    name: '200 bodies of 2 MiB at once',
    run: ({ origin, key, twentyPages }, over) =>
      lanes(200, over, async () => {
        const response = await fetch(`${origin}/api/v2/agents/${twentyPages}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: fullBody,
        });
        await response.text();
      }),
  },
  {
    name: '500 bodies, a byte a second',
    run: (attacker, over) =>
      keepOpen(500, over, () => dripping(attacker, `/agents/${attacker.twentyPages}`, 2 * 1024 * 1024)),
  },
  {
    name: '200 readers that take no answer',
    run: (attacker, over) =>
      keepOpen(200, over, () => unread(attacker, `/agents/${attacker.bigSettings}`, 50)),
  },
  { name: '2,000 silent connections', run: (attacker, over) => keepOpen(2000, over, () => silent(attacker)) },
  {
    name: 'big settings, 50 clients',
    run: ({ api, bigSettings }, over) =>
      lanes(50, over, (n) =>
        api.call('PATCH', `/agents/${bigSettings}/settings/design`, { title: `title ${n}` }),
      ),
  },
  {
    name: 'texts of 256 kB to one agent, 64 clients',
    run: ({ api, bigSettings }, over) =>
      lanes(64, over, () =>
        api.call('POST', `/agents/${bigSettings}/sources/text`, {
          title: 'big',
          content: 'All about everything. '.repeat(11_000),
        }),
      ),
  },
  {
    name: 'uploads that are never registered',
    run: ({ api, bigSettings }, over) =>
      lanes(8, over, async () => {
        const { files } = await api.call<{ files: { uploadUrl: string }[] }>(
          'POST',
          `/agents/${bigSettings}/sources/file/upload-url`,
          { files: [{ fileName: 'big.txt' }] },
        );
        for (const { uploadUrl } of files)
          await fetch(uploadUrl, {
            method: 'PUT',
            headers: { 'content-type': 'text/plain' },
            body: Buffer.alloc(20_000_000, 'x'),
          }).then((response) => response.text());
      }),
  },
  {
    name: '16 chains of slow robots.txt',
    async run({ api, site }, over) {
      await addUrls(api, await newAgent(api), times(16, site.slowRobots));
      await until(over);
    },
  },
  {
    name: '240 tarpit pages of 30 agents',
    async run({ api, site }, over) {
      for (let agent = 0; agent < 30; agent += 1)
        await addUrls(
          api,
          await newAgent(api),
          times(8, (n) => site.tarpit(agent * 8 + n)),
        );
      await until(over);
    },
  },
  {
    name: 'heavy files, 40 in line',
    async run({ api }, over) {
      const line = 'The quick brown fox explains the terms of delivery in some detail.';
      const bytes = pdf(times(400, () => times(45, (n) => `${n} ${line}`).join('\n')));
      const files = times(4, (n) => ({ fileName: `book-${n}.pdf`, type: 'application/pdf', bytes }));
      const agentId = await newAgent(api);
      for (let n = 0; n < 10 && !over(); n += 1) await api.addFiles(agentId, files).catch(() => {});
      await until(over);
    },
  },
  {
    name: `100 retrains of 20 pages, one of ${bigAgentPages}`,
    async run({ api, twentyPages, manyPages }, over) {
      const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${manyPages}/train`);
      for (let n = 0; n < 100 && !over(); n += 1)
        await api.call('POST', `/agents/${twentyPages}/train`).catch(() => {});
      await lanes(4, over, () => api.call('GET', `/agents/${manyPages}/jobs/${jobId}`));
    },
  },
  {
    name: `an agent of ${bigAgentPages} pages deleted while its neighbours write`,
    async run({ api, manyPages, twentyPages }, over) {
      const writers = lanes(32, over, (n) =>
        api.call('PATCH', `/agents/${twentyPages}`, { name: `name ${n}` }),
      );
      await api.call('DELETE', `/agents/${manyPages}`).catch(() => {});
      await writers;
    },
  },
  {
    name: 'bodies in chunks of one byte, 2 clients',
    run: (attacker, over) =>
      keepOpen(2, over, () => oneByteChunks(attacker, `/agents/${attacker.twentyPages}`, 2_000_000)),
  },
  {
    name: 'exports of 300 long chats, 2 clients',
    async run({ api, bigSettings }, over) {
      const message = 'Where is the warehouse? '.repeat(400);
      for (let n = 0; n < 300 && !over(); n += 1)
        await api.call('POST', `/agents/${bigSettings}/chat`, { message, stream: false });
      await lanes(2, over, () => api.call('GET', `/agents/${bigSettings}/conversations/export?limit=20`));
    },
  },
  {
    name: 'bodies of 9,990 fields with an Idempotency-Key, 2 clients',
    run: (attacker, over) =>
      lanes(2, over, () =>
        sendJson(attacker, 'POST', '/agents', { name: 'x', ...fields(9_990) }).then((r) => r.text()),
      ),
  },
  {
    name: 'chats with 32 new tools, 2 clients',
    run: ({ api, bigSettings }, over) =>
      lanes(2, over, () =>
        api.call('POST', `/agents/${bigSettings}/chat`, {
          message: 'Hello',
          stream: false,
          tools: newTools(),
        }),
      ),
  },
  {
    name: '200 connections with unknown keys',
    run: ({ origin, key }, over) =>
      lanes(200, over, () =>
        fetch(`${origin}/api/v2/agents`, {
          headers: { authorization: `Bearer ${key.slice(0, -8)}${String(Math.random()).slice(2, 10)}` },
        }).then((response) => response.text()),
      ),
  },
  {
    name: '50 connections on /metrics and /readyz',
    run: ({ origin }, over) =>
      lanes(50, over, async () => {
        for (const path of ['/metrics', '/readyz']) await (await fetch(`${origin}${path}`)).text();
      }),
  },
];
