import type { Test } from 'tap';
import type { TaskMessage } from '../../../../core/tasks/wire.js';
import { documentsOf } from '../../../contracts/documents.js';
import { actors, said } from '../../../support/agents.js';
import t from '../../../support/t.js';

const url = 'https://a.example/mill';
const mill =
  'The mill at the brook grinds rye and spelt from Tuesday to Friday. A sack of flour costs nineteen euro, and a loaf from the stone oven five. Guests may look on while the stones turn, and children get a roll of their own to take home.';
const wall = 'Please confirm that you are not a robot.';
const other =
  'Welcome! New owners, new plans: bicycles, scooters, helmets. Pick yours online today; pay at once or by the month. Repairs within a week.';
const DAY_MS = 24 * 60 * 60 * 1000;

/** An agent with one page, and functions that fetch it again. */
async function milled(t: Test) {
  const world = await actors(t);
  const { agents, agentId, sent, store, pass } = world;
  const next = (): TaskMessage => {
    const [message] = sent.splice(0);
    if (!message) throw new Error('nothing was admitted');
    return message;
  };
  const end = async (message: TaskMessage, text: string, isInterstitial = false) => {
    const result = said.succeeded(message, text);
    result.event.outcome.extraction.title = text.split(/[.,!:]/)[0] ?? '';
    const { outcome } = result.event;
    const extraction = { ...outcome.extraction, isInterstitial };
    await agents.send(agentId, {
      ...result,
      event: { ...result.event, outcome: { ...outcome, extraction } },
    });
  };
  const renewal = async (): Promise<TaskMessage> => {
    pass(DAY_MS);
    await agents.send(agentId, { kind: 'retrain', requestId: 'request' });
    return next();
  };
  const row = async () => {
    const [found] = await documentsOf(store, agentId);
    if (!found) throw new Error('the page is gone');
    return found;
  };
  const text = async () => (await store.reads.content(agentId, (await row()).id))?.join('');
  await agents.send(agentId, { kind: 'indexUrl', url, requestId: 'request' });
  await end(next(), mill);
  return { ...world, next, end, renewal, row, text };
}

const failure = async ({ row }: { row: () => Promise<{ metadata: Record<string, unknown> }> }) =>
  (await row()).metadata.lastFailure as { code: string } | undefined;

t.test('a known form of wall never replaces a page', async (t) => {
  const page = await milled(t);
  const before = await page.storageBytes();
  for (let time = 0; time < 5; time += 1) {
    await page.end(await page.renewal(), wall, true);
    t.equal(await page.text(), mill);
    t.match(await failure(page), { code: 'PAGE_SUSPECT', message: /last text is kept/ });
  }
  t.equal(await page.storageBytes(), before, 'the text that was held back is not stored');
  await page.end(await page.renewal(), `${mill} Closed in May.`);
  t.equal(await failure(page), undefined);
  t.notOk('heldBack' in (await page.row()).metadata);
});

t.test('a page that is itself like a wall can be renewed', async (t) => {
  const page = await milled(t);
  await page.end(await page.renewal(), `${mill} Back soon.`, true);
  t.equal(await page.text(), `${mill} Back soon.`);
});

t.test('a text that only differs is accepted the third time within a week', async (t) => {
  const page = await milled(t);
  for (const expected of [mill, mill, other]) {
    await page.end(await page.renewal(), other);
    t.equal(await page.text(), expected);
  }
  t.equal(await failure(page), undefined);

  const slow = await milled(t);
  for (let time = 0; time < 4; time += 1) {
    slow.pass(4 * DAY_MS);
    await slow.end(await slow.renewal(), other);
    t.equal(await slow.text(), mill, 'not within a week');
  }
});

t.test('a good text in between starts the count again', async (t) => {
  const page = await milled(t);
  for (const text of [other, other, mill, other]) await page.end(await page.renewal(), text);
  t.equal(await page.text(), mill);
});

t.test('an edited text is no suspect', async (t) => {
  const page = await milled(t);
  const shorter = mill.slice(0, mill.indexOf(' Guests'));
  await page.end(await page.renewal(), shorter);
  t.equal(await page.text(), shorter);
});

t.test('a suspect text can be accepted', async (t) => {
  const page = await milled(t);
  const { agents, agentId, next } = page;
  const { id: documentId } = await page.row();
  const accept = { kind: 'acceptPage', documentId, requestId: 'request' } as const;
  await t.rejects(agents.send(agentId, accept), { message: /documentId.*suspect/ });
  await page.end(await page.renewal(), wall, true);
  await agents.send(agentId, said.failed(await page.renewal(), 'give-up'));
  await agents.send(agentId, accept);
  const task = next();
  t.same(task.payload, { url, accept: true }, 'it is fetched without comparing');
  const before = await page.storageBytes();
  await page.end(task, wall, true);
  t.equal(await page.text(), wall);
  t.equal(await page.storageBytes(), before - mill.length + wall.length);
  t.equal(await failure(page), undefined);
  await t.rejects(agents.send(agentId, accept), { message: /documentId.*suspect/ });
  const unknown = { ...accept, documentId: '01890000-0000-7000-8000-000000000000' };
  await t.rejects(agents.send(agentId, unknown), { code: 'RESOURCE_DOCUMENT_NOT_FOUND' });
});

t.test('a request that joins a running fetch is honoured', async (t) => {
  const page = await milled(t);
  const { agents, agentId } = page;
  const { id: documentId } = await page.row();
  await page.end(await page.renewal(), wall, true);
  const running = await page.renewal();
  await agents.send(agentId, { kind: 'acceptPage', documentId, requestId: 'request' });
  await page.end(running, wall, true);
  t.equal(await page.text(), wall);
});

t.test('a new page that is a known form of wall is no source', async (t) => {
  const page = await milled(t);
  await page.agents.send(page.agentId, {
    kind: 'indexUrl',
    url: 'https://a.example/gate',
    requestId: 'request',
  });
  await page.end(page.next(), wall, true);
  t.equal((await page.state()).documents.web_crawl, 1);
});
