import { body, type List } from '../../support/api-client.js';
import { gate, saysAround } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { storedWords } from '../../support/stored-words.js';
import { conversationOf, streamingChat } from '../../support/streaming-chat.js';
import { until } from '../../support/until.js';

const USER = 'customer-4711-quokka';
const SECRETS = [USER, 'wombatly', 'platypusish'];

await onEachEngine(
  'an erasure ends answers in progress, and nothing is stored after it',
  async (t, engine) => {
    const { service, apiKey, api, chat, answerer, ask, open } = await streamingChat(t, { engine });
    // The sweeps of both processes compete for the erasure.
    const other = await service.beside();
    const waiting = gate();
    answerer.play(saysAround('wombatly ', waiting, 'platypusish'));
    const stream = await ask({ message: 'wombatly?', userId: USER });
    await stream.event(({ type }) => type === 'text-delta');
    const elsewhere = await open(`/conversations/${conversationOf(stream)}/stream`, { on: other });

    const { id } = await body(
      other.api(apiKey).post<{ id: string }>('/visitors/erase', { userId: USER, all: true }),
    );
    await until('the erasure', async () => {
      const { status } = await body(api.get<{ status: string }>(`/erasures/${id}`));
      return status === 'done';
    });
    await Promise.all([stream.over, elsewhere.over]);
    waiting.open();
    t.equal(answerer.placesTaken, 0, 'the answer has ended');
    const { pagination } = await body(api.get<List<object>>(chat.at('/conversations')));
    t.equal(pagination.total, 0);
    t.strictSame(await storedWords(t, { engine, databaseUrl: service.databaseUrl }, SECRETS), []);
  },
);
