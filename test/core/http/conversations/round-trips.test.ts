import { chatWith } from '../../../support/chat.js';
import { mysqlMissing } from '../../../support/mysql.js';
import { type DatabaseMessage, openCountedLine } from '../../../support/round-trips.js';
import { startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';

/** Runs of a request. Statements of sweeps can only add round trips to a run, so the smallest number counts. */
const RUNS = 20;

/** Number of sequential database round trips of a request. */
const depthOf = (messages: DatabaseMessage[]): number => Math.max(...messages.map(({ wave }) => wave));
const shown = (messages: DatabaseMessage[]): string[] =>
  messages.map(({ sql, wave }) => `${wave} ${sql.replace(/\s+/g, ' ').slice(0, 160)}`);

const skip = await mysqlMissing();

t.test('requests need only a few sequential round trips to the database', { skip }, async (t) => {
  const line = await openCountedLine(t);
  const service = await startTestService(t, { engine: 'mysql', databaseUrl: line.through });
  const api = await service.client();
  const chat = await chatWith(api);
  let texts = 0;
  const addText = async () => {
    texts += 1;
    const text = {
      title: `Parcels ${texts}`,
      content: `Parcels of kind ${texts} arrive within ${texts} days.`,
    };
    const { status, text: body } = await api.post(chat.at('/sources/text'), text);
    if (status !== 201) throw new Error(`${status} ${body}`);
  };
  const begin = () => chat.say('How long do parcels take?');
  await addText();
  const { conversationId } = (await begin()).metadata;
  const goOn = () => chat.say('How long do parcels take to arrive?', { conversationId });
  // Opens the connections and loads the index of the agent.
  await Promise.all([begin(), begin(), begin(), addText()]);
  await goOn();

  for (const [name, work, most] of [
    ['an answer in a conversation', goOn, 14],
    ['an answer in a new conversation', begin, 11],
    ['a text', addText, 5],
  ] as const) {
    let best = await line.during(work);
    for (let run = 1; run < RUNS && depthOf(best) > most; run += 1) {
      const messages = await line.during(work);
      if (depthOf(messages) < depthOf(best)) best = messages;
    }
    const depth = depthOf(best);
    t.ok(depth <= most, `${name} takes at most ${most} round trips`, { depth, messages: shown(best) });
  }
});
