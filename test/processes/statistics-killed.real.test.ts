import { join } from 'node:path';
import type { Test } from 'tap';
import { connect } from '../../adapters/sequelize/connect.js';
import { apiClient } from '../support/api-client.js';
import { type Chat, chatWith } from '../support/chat.js';
import { emptyMysql } from '../support/mysql.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import { onEachEngine } from '../support/service.js';
import { statisticsOff } from '../support/statistics-off.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const CLIENTS = 8;
const ANSWERS = 40;

await onEachEngine(
  'counters equal a recount after kill -9 while questions are answered',
  async (t, engine) => {
    const dataDir = tempFolder(t);
    const url = engine === 'mysql' ? (await emptyMysql(t)).url : `sqlite:${join(dataDir, 'cadre.sqlite')}`;
    const start = () => startServer({ dataDir, env: { DATABASE_URL: url } });
    let server = await start();
    t.teardown(() => server.killAll());
    const { agentId } = await agentOf(server.baseUrl);
    let answers = 0;
    const { baseUrl } = server;
    const clients = Array.from({ length: CLIENTS }, (_, n) =>
      talk(baseUrl, agentId, `u-${n}`, () => {
        answers += 1;
      }),
    );
    await until('answers before the kill', () => answers >= ANSWERS);
    await server.killAll();
    await Promise.all(clients);
    server = await start();
    await noneUnderWay(t, url);
    const { body } = await apiClient(server.baseUrl, bootstrapKey).get<{ days: { questions: number }[] }>(
      `/agents/${agentId}/statistics`,
    );
    const questions = body.days.reduce((sum, day) => sum + day.questions, 0);
    t.ok(questions >= ANSWERS, `${questions} questions`);
  },
);

async function agentOf(baseUrl: string): Promise<Chat> {
  const api = apiClient(baseUrl, bootstrapKey);
  const chat = await chatWith(api);
  const text = { title: 'Reset', content: 'To reset the device, hold the power button for ten seconds.' };
  await api.post(chat.at('/sources/text'), text);
  return chat;
}

/** Asks, rates and retries until the server is gone. */
async function talk(baseUrl: string, agentId: string, userId: string, onAnswer: () => void): Promise<void> {
  const api = apiClient(baseUrl, bootstrapKey);
  const at = `/agents/${agentId}`;
  try {
    for (;;) {
      const { status, body } = await api.post<{ id: string; metadata: { conversationId: string } }>(
        `${at}/chat`,
        {
          message: 'How do I reset the device?',
          stream: false,
          userId,
        },
      );
      if (status !== 200) continue;
      onAnswer();
      const conversation = `${at}/conversations/${body.metadata.conversationId}`;
      await api.patch(`${conversation}/messages/${body.id}/feedback`, { feedback: 'positive' });
      await api.post(`${conversation}/retry`, { messageId: body.id, stream: false });
    }
  } catch {
    // The connection was lost.
  }
}

/** Waits until no answer is in progress, and compares the counters with the messages. */
async function noneUnderWay(t: Test, url: string): Promise<void> {
  const connection = connect({ url, poolSize: 1, statementTimeoutMs: 15_000 });
  try {
    const underWay = () => connection.read(`SELECT id FROM messages WHERE status = 'generating' LIMIT 1`, []);
    await until('the end of lost answers', async () => (await underWay()).length === 0);
    t.strictSame(await connection.read(statisticsOff, []), []);
  } finally {
    await connection.close();
  }
}
