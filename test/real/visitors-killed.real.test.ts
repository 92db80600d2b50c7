import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConversationDetail, Message } from '../support/chat.js';
import { client } from '../support/flows.js';
import { bootstrapKey, type ServerProcess, startServer } from '../support/server-process.js';
import { onEachEngine } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';
import { visitorOf } from '../support/visitors.js';
import { freshDatabase } from './services.js';

const KILLS = 3;
const VISITORS = 8;
/** Between two messages, so that the kill finds each at another point. */
const PAUSE_MS = 8;
const DEADLINE_MS = 60_000;

// A process is killed and restarted, and its leases must expire first.
await onEachEngine(
  'kill -9 at any moment of a message leaves one message and one answer',
  async (t, engine) => {
    const dataDir = tempFolder(t);
    const url = engine === 'mysql' ? (await freshDatabase(t)).url : `sqlite:${join(dataDir, 'cadre.sqlite')}`;
    const setting = { dataDir, env: { DATABASE_URL: url } };
    let server: ServerProcess = await startServer(setting);
    t.teardown(() => server.killAll());
    const owner = () => client(server.baseUrl, bootstrapKey);
    const { id: agentId } = await owner().call<{ id: string }>('POST', '/agents', { name: 'survivor' });
    const text = { title: 'Reset', content: 'To reset the device, hold the power button for ten seconds.' };
    await owner().call('POST', `/agents/${agentId}/sources/text`, text);
    const visitors = await Promise.all(Array.from({ length: VISITORS }, () => visitorOf(server, agentId)));

    /** Sends the message as the widget does: again with the same key until there is an answer. */
    async function say(token: string, key: string): Promise<Message> {
      const end = Date.now() + DEADLINE_MS;
      for (;;) {
        const answer = await fetch(`${server.baseUrl}/api/v2/agents/${agentId}/chat`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ message: 'How do I reset the device?', stream: false }),
        })
          .then(async (response) => ({ status: response.status, body: (await response.json()) as Message }))
          .catch(() => null);
        if (answer?.status === 200 && answer.body.id !== null) return answer.body;
        if (Date.now() > end) throw new Error(`no answer: ${JSON.stringify(answer)}`);
        await sleep(100);
      }
    }

    const figures = { answers: 0, userMessages: 0, assistantMessages: 0, conversations: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const sending = visitors.map(async ({ token }, n) => {
        await sleep(n * PAUSE_MS);
        return say(token, `kill-${kill}`);
      });
      await sleep((kill + 1) * 2 * PAUSE_MS);
      await server.killAll();
      server = await startServer(setting);
      const answers = await Promise.all(sending);
      figures.answers += answers.length;
    }
    for (const { token } of visitors) {
      const visitor = client(server.baseUrl, token);
      const { data } = await visitor.call<{ data: { id: string }[] }>(
        'GET',
        `/agents/${agentId}/conversations`,
      );
      figures.conversations += data.length;
      for (const { id } of data) {
        const path = `/agents/${agentId}/conversations/${id}`;
        const { messages } = await visitor.call<ConversationDetail>('GET', path);
        figures.userMessages += messages.filter(({ role }) => role === 'user').length;
        figures.assistantMessages += messages.filter(({ role }) => role === 'assistant').length;
      }
    }
    const each = KILLS * VISITORS;
    t.strictSame(figures, {
      answers: each,
      userMessages: each,
      assistantMessages: each,
      conversations: each,
    });
  },
);
