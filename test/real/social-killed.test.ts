import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startFakePlatform } from '../support/fake-platform.js';
import { client } from '../support/flows.js';
import { bootstrapKey, type ServerProcess, startServer } from '../support/server-process.js';
import { onEachEngine } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { freshDatabase } from './services.js';

interface Conversations {
  data: { id: string; userId: string; messages: { role: string }[] }[];
  pagination: { cursor: string | null };
}

const ACCOUNT = '17841400';
const QUESTION = 'How do I reset the device?';
/** When the process is killed: so long after an event was accepted, or in a call that sends a message. */
const KILLS = [0, 700, 'before the work', 'after the work'] as const;
const PEOPLE = 4;
const POST = '17900';

// Processes are killed and restarted, and leases must expire first.
t.setTimeout(240_000);

await onEachEngine(
  'kill -9 at any moment leaves one message and one answer',
  async (t, engine) => {
    const platform = await startFakePlatform();
    t.teardown(() => platform.close());
    const { token } = platform.account(ACCOUNT);
    const dataDir = tempFolder(t);
    const url = engine === 'mysql' ? (await freshDatabase(t)).url : `sqlite:${join(dataDir, 'cadre.sqlite')}`;
    const config = {
      plugins: { channel: { use: 'graph', options: platform.options } },
      channels: { gatherMs: 500 },
    };
    const start = (folder: string) => startServer({ dataDir: folder, config, env: { DATABASE_URL: url } });
    let server: ServerProcess = await start(dataDir);
    t.teardown(() => server.killAll());
    // On a database server, another process stays.
    const other = engine === 'mysql' ? await start(tempFolder(t)) : null;
    t.teardown(() => other?.killAll());
    const owner = () => client(server.baseUrl, bootstrapKey);
    const { id } = await owner().call<{ id: string }>('POST', '/agents', { name: 'survivor' });
    await owner().call('POST', `/agents/${id}/sources/text`, {
      title: 'Reset',
      content: 'To reset the device, hold the power button for ten seconds.',
    });
    const social = `/agents/${id}/channels/social`;
    await owner().call('POST', social, { accessToken: token });
    await owner().call('POST', `${social}/automations`, {
      type: 'comment_to_dm',
      status: 'live',
      name: 'Any',
      postScope: 'any',
      message: 'Hi',
    });

    /** Repeats an event until it is accepted, as the platform does. */
    async function deliver(event: object): Promise<void> {
      for (;;) {
        platform.hooks = [`${server.baseUrl}/hooks/social`];
        if ((await platform.deliver(event).catch(() => 0)) === 200) return;
        await sleep(50);
      }
    }

    // The process dies while the platform has published, but has not confirmed.
    const items = [{ title: 'Hours', message: 'When are you open?' }];
    platform.fail(/POST .*messenger_profile/, { does: 'hang', after: true });
    const publishing = owner()
      .call('PATCH', `${social}/persistent-menu`, { items })
      .catch(() => null);
    await until('the publication', () => platform.calls.some((call) => call.endsWith('messenger_profile')));

    const people: string[] = [];
    const commenters: string[] = [];
    for (const [round, kill] of KILLS.entries()) {
      const some = Array.from({ length: PEOPLE }, (_, n) => String(1000 + round * PEOPLE + n));
      people.push(...some);
      const before = platform.calls.length;
      if (typeof kill === 'number') {
        const commenter = String(9000 + round);
        commenters.push(commenter);
        await deliver(platform.event.comment(ACCOUNT, commenter, POST, 'Hello'));
      }
      if (typeof kill === 'string')
        platform.fail(/POST .*messages$/, { does: 'hang', after: kill === 'after the work' });
      const delivering = some.map((person) => deliver(platform.event.message(ACCOUNT, person, QUESTION)));
      if (typeof kill === 'number') {
        await Promise.all(delivering);
        await sleep(kill);
      } else
        await until('a call', () =>
          platform.calls.slice(before).some((call) => /POST .*messages$/.test(call)),
        );
      await server.killAll();
      platform.dropHanging();
      server = await start(dataDir);
      await Promise.all(delivering);
      platform.hooks = [`${server.baseUrl}/hooks/social`];
    }
    const answered = (person: string): number => platform.received(ACCOUNT, person).length;
    await until('all answers', () => people.every((person) => answered(person) > 0), 120_000).catch(() => {});
    await until('the end of all events and messages', async () => {
      const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
      const { pagination } = await owner().call<{ pagination: { total: number } }>(
        'GET',
        `${social}/deliveries?status=sending`,
      );
      return /^channel_oldest_event_seconds 0$/m.test(metrics) && pagination.total === 0;
    });
    const data: Conversations['data'] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Conversations = await owner().call(
        'GET',
        `/agents/${id}/conversations/export?source=social${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      data.push(...page.data);
      cursor = page.pagination.cursor;
    }
    const { data: deliveries } = await owner().call<{
      data: { kind: string; conversationId: string | null; status: string }[];
    }>('GET', `${social}/deliveries?limit=100`);
    const replies = deliveries.filter(({ kind }) => kind === 'automation');
    t.strictSame(
      [replies.length, commenters.filter((person) => answered(person) > 1)],
      [commenters.length, []],
    );
    for (const { conversationId, status } of replies) {
      t.match(status, /^(sent|unconfirmed)$/);
      const conversation = data.find(({ id: known }) => known === conversationId);
      if (status === 'sent') t.equal(conversation?.messages.length, 1, 'the reply is in its conversation');
    }
    const ofPeople = data.filter(({ userId }) => people.includes(userId));
    const figures = {
      answers: people.map(answered),
      conversations: ofPeople.length,
      userMessages: ofPeople.flatMap(({ messages }) => messages).filter(({ role }) => role === 'user').length,
      assistantMessages: ofPeople
        .flatMap(({ messages }) => messages)
        .filter(({ role }) => role === 'assistant').length,
    };
    await publishing;
    const menu = await until('the menu', async () => {
      const found = await owner().call<{ live: { items: object[] } | null; sync: { status: string } }>(
        'GET',
        `${social}/persistent-menu`,
      );
      return found.sync.status !== 'running' && found;
    });
    t.strictSame([menu.live?.items, menu.sync.status], [items, 'idle'], 'what the platform shows');
    const published = platform.calls.filter((call) => /POST .*messenger_profile/.test(call));
    t.equal(published.length, 1, 'nothing is published again');
    const each = people.length;
    t.strictSame(figures, {
      answers: Array(each).fill(1),
      conversations: each,
      userMessages: each,
      assistantMessages: each,
    });
  },
  { atOnce: true },
);
