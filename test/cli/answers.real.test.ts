import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import type { Message } from '../support/chat.js';
import { commandLine } from '../support/command-line.js';
import { nodeArguments } from '../support/entry.js';
import { answers, delta, fallsSilent, says, startFakeProvider } from '../support/fake-provider.js';
import { projectFolder } from '../support/project-folder.js';
import { searchInstallation } from '../support/search-installation.js';
import { type Hit, searchedAgent } from '../support/searching.js';
import { type Engine, emptyDatabase, onEachEngine, startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

/* `ask`, `search` and `reindex` beside a running server, and without one. */

const hours = {
  title: 'Opening hours',
  text: 'The library opens at nine and closes at six. On Sundays it is closed.',
};

/** An agent that knows the opening hours, in an installation without a server. */
async function idle(t: Test, engine: Engine, config: object = {}) {
  const folder = tempFolder(t);
  const url = await emptyDatabase(t, engine, folder);
  const installation = await searchInstallation(url);
  t.teardown(() => installation.close());
  const { agentId } = await installation.agentWith([hours]);
  const CONFIG_FILE = join(folder, 'cadre.json');
  writeFileSync(CONFIG_FILE, JSON.stringify(config));
  const environment = { DATABASE_URL: url, DATA_DIR: folder, CONFIG_FILE };
  return { agentId, store: installation.store, environment, ...commandLine(environment) };
}

const withModel = (baseUrl: string) => ({
  plugins: {
    model: {
      use: 'openai-compatible',
      options: { providers: { local: { baseUrl } }, models: { '*': { provider: 'local', model: 'small' } } },
    },
  },
});

await onEachEngine('ask answers without a server and stores the conversation', async (t, engine) => {
  const { agentId, run, json, store } = await idle(t, engine);
  const { code, out, err } = await run('ask', '--agent', agentId, 'When does the library open?');
  t.equal(code, 0, err);
  t.match(out, 'The library opens at nine and closes at six.');
  t.match(out, /\n\[1\] Opening hours\n$/, 'its sources stand below it');
  t.match(err, 'Outcome: answered');
  t.match((await run('ask', '--agent', agentId, 'Who won the election?')).err, 'Outcome: unanswered');
  const conversationId = /--conversation (\S+)/.exec(err)?.[1] ?? '';
  t.match(await store.conversations.reads.conversation(agentId, conversationId), {
    messages: 2,
    source: 'api',
  });
  const message = await json<Message>(
    'ask',
    'And on Sundays, is it closed?',
    '--agent',
    agentId.toUpperCase(),
    '--conversation',
    conversationId,
  );
  t.match(message, {
    role: 'assistant',
    status: 'completed',
    metadata: { conversationId, model: 'extractive', citations: [{ sourceId: '1', title: 'Opening hours' }] },
  });
  t.match(await store.conversations.reads.conversation(agentId, conversationId), { messages: 4 });
});

await onEachEngine('ask, search and reindex work beside a running server', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { id, addText, api, agent } = await searchedAgent(service);
  await addText(hours.title, hours.text);
  const { json, refused } = commandLine({ DATABASE_URL: service.databaseUrl, DATA_DIR: tempFolder(t) });
  const { metadata, ...asked } = await json<Message>('ask', '--agent', id, 'When does the library open?');
  const path = `${agent}/conversations/${metadata.conversationId}/messages/${asked.id}`;
  t.strictSame(
    (await api.get<Message>(path)).body,
    { ...asked, metadata },
    'the server shows the same message',
  );
  const question = 'library opens';
  t.strictSame(
    (await json<{ data: Hit[] }>('search', question, '--agent', id)).data,
    (await api.post<{ data: Hit[] }>(`${agent}/search`, { query: question })).body.data,
  );
  await json('reindex', '--agent', id);
  await until(
    'the index',
    async () => (await json<{ documents: number }>('reindex', '--status')).documents === 0,
  );
  t.equal((await json<{ data: Hit[] }>('search', question, '--agent', id)).data.length, 1);
  const foreign = await searchedAgent(service);
  t.match(await refused('ask', 'And?', '--agent', foreign.id, '--conversation', metadata.conversationId), {
    code: 'CONVERSATION_NOT_FOUND',
  });
});

t.test('search lists hits, best first', async (t) => {
  const { agentId, run, json } = await idle(t, 'sqlite');
  t.match(await run('search', 'library', '--agent', agentId), {
    code: 0,
    out: /SCORE.*TITLE.*\n\d+\.\d\d +Opening hours +0 +The library opens/,
  });
  t.match(await json('search', 'closed', '--agent', agentId, '--limit', '1'), {
    data: [{ title: 'Opening hours', start: 0, text: hours.text }],
    covered: true,
  });
  t.match(await run('search', 'zebras in the library', '--agent', agentId), {
    out: /The library opens[\s\S]*Probably no source covers the question\./,
  });
  t.same(await json('search', 'zebra', '--agent', agentId), { data: [], covered: false });
});

t.test('reindex leaves the work to a server and reports its amount', async (t) => {
  const { agentId, run, json } = await idle(t, 'sqlite');
  t.same(await json('reindex', '--status'), { agents: 0, documents: 0 });
  t.match(await run('reindex'), { code: 0, err: /running server/ });
  t.same(await json('reindex', '--status'), { agents: 1, documents: 1 });
  t.equal(
    (await json<{ data: Hit[] }>('search', 'library', '--agent', agentId)).data.length,
    1,
    'found meanwhile',
  );
});

t.test('rejects invalid questions', async (t) => {
  const { agentId, refused } = await idle(t, 'sqlite');
  const nobody = uuidv7();
  const cases: [string[], string][] = [
    [['ask', ' ', '--agent', agentId], 'USAGE'],
    [['ask', 'When?', '--agent', nobody], 'AGENT_NOT_FOUND'],
    [['ask', 'When?', '--agent', agentId, '--conversation', 'x'], 'CONVERSATION_NOT_FOUND'],
    [['search', 'When?', '--agent', nobody], 'AGENT_NOT_FOUND'],
    [['search', 'When?', '--agent', agentId, '--limit', '101'], 'USAGE'],
    [['reindex', '--agent', nobody], 'AGENT_NOT_FOUND'],
  ];
  for (const [args, code] of cases)
    t.match(await refused(...args), { code, message: /\w+.*\./ }, `${args[0]} ${args[1]?.slice(0, 20)}`);
});

t.test('ask uses the configured model, and reports why there is no answer', async (t) => {
  const provider = await startFakeProvider(says('At \u001b[31mnine', ' [1].'));
  t.teardown(() => provider.close());
  const { agentId, run, refused } = await idle(t, 'sqlite', withModel(provider.baseUrl));
  const written = await run('ask', 'When does the library open?', '--agent', agentId);
  t.match(written, { code: 0, out: /^At .*nine \[1\]\.\n\n\[1\] Opening hours\n$/ });
  t.notMatch(written.out, /\p{Cc}(?<!\n)/u, 'no model moves the cursor');
  t.match(provider.calls, [{ body: { model: 'small' } }]);
  provider.play(answers(401));
  t.match(await refused('ask', 'When?', '--agent', agentId), {
    code: 'ANSWER_FAILED',
    message: /configuration/,
  });
  t.match(await run('ask', 'When?', '--agent', agentId), { code: 1, err: /401[\s\S]*ANSWER_FAILED/ });
});

t.test('Ctrl-C stops the answer and keeps its text', async (t) => {
  const provider = await startFakeProvider(fallsSilent(delta('The library ')));
  t.teardown(() => provider.close());
  const { agentId, environment, store } = await idle(t, 'sqlite', withModel(provider.baseUrl));
  const asking = spawn(
    process.execPath,
    [...nodeArguments('cli/main'), 'ask', 'When does the library open?', '--agent', agentId],
    {
      cwd: projectFolder,
      env: { PATH: process.env.PATH, ...environment },
    },
  );
  t.teardown(() => asking.kill('SIGKILL'));
  let [out, err] = ['', ''];
  asking.stdout.on('data', (piece) => {
    out += piece;
  });
  asking.stderr.on('data', (piece) => {
    err += piece;
  });
  const ended = new Promise<number | null>((resolve) => asking.on('close', resolve));
  await until('the first words', () => out.startsWith('The library'));
  asking.kill('SIGINT');
  t.equal(await ended, 1, err);
  t.match(err, 'The answer was stopped.');
  const [conversation] = await store.conversations.reads.page(agentId, {}, { limit: 1, before: null });
  const message = conversation && (await store.conversations.reads.newest(conversation.id));
  t.match(message, { role: 'assistant', status: 'stopped' });
  t.equal(conversation?.activeMessageId, null);
});
