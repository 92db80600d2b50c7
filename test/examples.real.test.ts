import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateSource } from 'oazapfts';
import type { Test } from 'tap';
import { body, type List } from './support/api-client.js';
import { type ConversationDetail, type Message, textOf } from './support/chat.js';
import { openFaultyProxy } from './support/faulty-proxy.js';
import { freePort } from './support/free-port.js';
import { projectFile } from './support/project-folder.js';
import { calls, gate, says, saysAround } from './support/scripted-answerer.js';
import { conversationOf, streamingChat } from './support/streaming-chat.js';
import t from './support/t.js';
import { tempFolder } from './support/temp-folder.js';
import { until } from './support/until.js';
import { visitorOf } from './support/visitors.js';

/* Every folder of `examples` as a process, as its documentation starts it. */

const root = fileURLToPath(projectFile('.'));

interface Example {
  process: ChildProcess;
  out(): string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}

function run(t: Test, command: string[], env: Record<string, string>): Example {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: root, env: { PATH: process.env.PATH, ...env } });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      out += data;
    });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  t.teardown(() => child.kill());
  return { process: child, out: () => out, ended };
}

const { service, api, chat, answerer, apiKey, open } = await streamingChat(t, {
  settings: { webhooks: { allowPrivateAddresses: true } },
  worker: { webhooks: { allowPrivateAddresses: true } },
});
const { secret } = await body(
  api.post<{ secret: string }>('/keys', { name: 'examples', scope: 'chat', agentIds: [chat.agentId] }),
);
const env = { CADRE_URL: service.baseUrl, CADRE_API_KEY: secret, CADRE_AGENT_ID: chat.agentId };
const node = (file: string, ...args: string[]) => [process.execPath, `examples/${file}`, ...args];

async function succeeds(t: Test, command: string[], more: Record<string, string> = {}): Promise<string> {
  const example = run(t, command, { ...env, ...more });
  t.equal(await example.ended, 0, example.out());
  return example.out();
}

const ticket = { id: 'call-1', name: 'open_ticket', input: { subject: 'Broken' } };

t.test('curl asks a question', async (t) => {
  answerer.play(says('From nine to five.'));
  t.match(await succeeds(t, ['examples/curl/ask.sh']), 'From nine to five.');
});

t.test('the workflow syncs a folder', async (t) => {
  const workflow = readFileSync(projectFile('examples/sync/workflow.yml'), 'utf8');
  const command = /- run: (cadre sync .+)/.exec(workflow)?.[1] ?? '';
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/hours.md'), '# Hours\n\nFrom nine to five.');
  const { id } = await api.agent();
  const program = [process.execPath, '--import=tsx', 'cli/main.ts'].map((word) => `"${word}"`).join(' ');
  const script = `cadre() { ${program} "$@"; }\n${command.replace('docs', `"${folder}/docs"`)}`;
  const out = await succeeds(t, ['sh', '-c', script], { CADRE_API_KEY: apiKey, CADRE_AGENT_ID: id });
  t.match(out, '1 files: 0 unchanged, 1 added');
  t.equal((await body(api.get<List<object>>(`/agents/${id}/sources`))).pagination.total, 1);
});

t.test('fetch reads a stream, and shows the error of the API', async (t) => {
  answerer.play(says('From nine ', 'to five.'));
  t.equal(await succeeds(t, node('fetch/ask.mjs', 'When?')), 'From nine to five.\n');
  const failed = run(t, node('fetch/ask.mjs'), { ...env, CADRE_API_KEY: 'unknown' });
  t.not(await failed.ended, 0);
  t.match(failed.out(), 'AUTH_INVALID_API_KEY');
});

t.test('the inbox lists what waits, and answers it', async (t) => {
  const { agentId } = chat;
  const path = `/agents/${agentId}`;
  await body(api.patch(`${path}/settings/handover`, { enabled: true }));
  const inbox = run(t, node('inbox/inbox.mjs'), { ...env, CADRE_API_KEY: apiKey });
  answerer.play(says('From nine to five.'));
  const visitor = service.api((await visitorOf(service, agentId)).token);
  const sent = { message: 'When is Ada there?', stream: false };
  const { metadata } = await body(visitor.post<Message>(`${path}/chat`, sent));
  const own = `${path}/conversations/${metadata.conversationId}`;
  await until('the request', async () => {
    const { state } = await body(visitor.post<{ state: string }>(`${own}/handover`, {}));
    return state === 'requested';
  });
  await until('the conversation', () => /requested \(\d new\) When is Ada there/.test(inbox.out()));
  inbox.process.stdin?.write('At ten.\n');
  await until('the answer', async () => {
    const { messages } = await body(visitor.get<ConversationDetail>(own));
    return messages.some((message) => textOf(message) === 'At ten.');
  });
});

t.test('fetch resumes after a lost connection', async (t) => {
  const proxy = await openFaultyProxy({ host: '127.0.0.1', port: Number(new URL(service.baseUrl).port) });
  t.teardown(() => proxy.close());
  const waiting = gate();
  answerer.play(saysAround('Before', waiting, ' and after.'));
  const example = run(t, node('fetch/ask.mjs'), { ...env, CADRE_URL: `http://127.0.0.1:${proxy.port}` });
  await until('the beginning', () => example.out().includes('Before'));
  t.ok(proxy.cut() > 0);
  waiting.open();
  t.equal(await example.ended, 0, example.out());
  t.equal(example.out(), 'Before and after.\n');
});

t.test('a tool is called, and its result sent', async (t) => {
  answerer.play(calls('One moment.', ticket), says('It is ticket 7.'));
  t.equal(await succeeds(t, node('tool-result/ask.mjs')), 'One moment.\nIt is ticket 7.\n');
});

t.test('the AI SDK sends messages and results of tools, and reconnects', async (t) => {
  answerer.play(calls('One moment.', { ...ticket, id: 'call-2' }), says('It is ticket 7.'));
  t.equal(await succeeds(t, node('ai-sdk/chat.mjs')), 'One moment.\nIt is ticket 7.\n');

  const waiting = gate();
  answerer.play(saysAround('Before', waiting, ' and after.'));
  const stream = await open('/chat', { body: { message: 'Where?' } });
  await stream.event(({ type }) => type === 'text-delta');
  const example = run(t, node('ai-sdk/chat.mjs'), { ...env, CONVERSATION_ID: conversationOf(stream) });
  await until('the beginning', () => example.out().includes('Before'));
  waiting.open();
  t.equal(await example.ended, 0);
  t.equal(example.out(), 'Before and after.\n');
});

t.test('clients of the OpenAI protocol ask, stream and run tools', async (t) => {
  answerer.play(says('From nine to five.'));
  t.match(await succeeds(t, ['examples/openai-clients/ask.sh']), '"content":"From nine to five."');
  t.equal(await succeeds(t, node('openai-clients/openai.mjs', 'When?')), 'From nine to five.\n');
  answerer.play(calls('One moment. ', { ...ticket, id: 'call-3' }), says('It is ticket 7.'));
  t.equal(await succeeds(t, node('openai-clients/ai-sdk.mjs')), 'One moment. It is ticket 7.\n');
});

t.test('a client of MCP lists tools and asks', async (t) => {
  answerer.play(says('From nine to five.'));
  const out = await succeeds(t, node('mcp/ask.mjs', 'When?'));
  t.equal(out, 'Tools: ask, search, list_agents\nFrom nine to five.\n');
});

t.test('a generated TypeScript client fits the program', async (t) => {
  const document = `${tempFolder(t)}/openapi.json`;
  writeFileSync(document, await (await fetch(`${service.baseUrl}/openapi.json`)).text());
  const client = projectFile('examples/typescript-client/client.ts');
  writeFileSync(client, await generateSource(document));
  t.teardown(() => rmSync(client));
  const check = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023'];
  const types = ['--types', 'node', '--ignoreConfig', 'examples/typescript-client/ask.ts'];
  await succeeds(t, [process.execPath, 'node_modules/typescript/bin/tsc', ...check, ...types]);
  answerer.play(says('From nine to five.'));
  const out = await succeeds(t, [process.execPath, '--import=tsx', 'examples/typescript-client/ask.ts']);
  t.match(out, /: From nine to five\.$/m);
});

t.test('the receiver of webhooks accepts signed messages only', async (t) => {
  const owner = service.api(apiKey);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hooks`;
  const webhook = await body(owner.post<{ id: string; secret: string }>('/webhooks', { url }));
  const example = run(t, node('webhook-receiver/server.mjs'), {
    PORT: String(port),
    WEBHOOK_SECRET: webhook.secret,
  });
  await until('the receiver', () => example.out().includes('listening'));
  const forged = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
    body: '{"type":"forged","data":{}}',
  });
  t.equal(forged.status, 401);
  await body(owner.post(`/webhooks/${webhook.id}/test`));
  await until('the message', () => example.out().includes('webhook.test'));
  t.notMatch(example.out(), 'forged');
});
