import { startDyingServers } from '../support/dying-servers.js';
import { startFakePlatform } from '../support/fake-platform.js';
import { client } from '../support/flows.js';
import { bootstrapKey } from '../support/server-process.js';
import { onEachEngine } from '../support/service.js';
import { until } from '../support/until.js';

interface Conversation {
  id: string;
  userId: string;
  messages: { role: string; parts: { text: string }[] }[];
}

interface Delivery {
  id: string;
  kind: string;
  conversationId: string | null;
  status: string;
}

const ACCOUNT = '17841400';
const QUESTION = 'How do I reset the device?';
const REPLY = 'Hi';
const BY_HAND = 'A human, in the app of the platform';
const POST = '17900';
/** The person to whom the console writes. */
const KNOWN = '1';
/** Fewer kinds of commits are a fault of the test: 16 to 21 are seen, depending on which commits coincide. */
const LEAST_DEATHS = 12;
const MOST_ROUNDS = 60;

// Processes are killed and restarted, and leases must expire first.
await onEachEngine(
  'kill -9 before commits and in calls leaves one message and one answer',
  async (t, engine) => {
    const platform = await startFakePlatform();
    t.teardown(() => platform.close());
    platform.repeats = true;
    const { token } = platform.account(ACCOUNT);
    const servers = await startDyingServers(t, engine, {
      config: {
        plugins: { channel: { use: 'graph', options: platform.options } },
        channels: { gatherMs: 200 },
      },
      onChange: (baseUrls) => {
        platform.hooks = baseUrls.map((baseUrl) => `${baseUrl}/hooks/social`);
      },
    });
    const owner = () => client(servers.baseUrl(), bootstrapKey);
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
      message: REPLY,
    });
    const received = (person: string) => platform.received(ACCOUNT, person);
    await platform.write(ACCOUNT, KNOWN, QUESTION);
    await until('the first answer', () => received(KNOWN).length === 1);
    const conversations = () => owner().walk<Conversation>(`/agents/${id}/conversations/export`, 20);
    const known = (await conversations()).find(({ userId }) => userId === KNOWN);

    // A process dies after the platform has published the menu, and before it has published the starters.
    const items = [{ title: 'Hours', message: 'When are you open?' }];
    const publications = () => platform.calls.filter((call) => /POST .*messenger_profile/.test(call)).length;
    const publish = async (resource: string, items: object[], after: boolean) => {
      const before = publications();
      platform.fail(/POST .*messenger_profile/, { does: 'hang', after });
      const patch = owner().call('PATCH', `${social}/${resource}`, { items });
      await until('the publication', () => publications() > before);
      return patch.catch(() => null);
    };
    const menuPatch = publish('persistent-menu', items, true);
    await until('the first publication', () => publications() === 1);
    const startersPatch = publish('conversation-starters', [{ question: 'Where are you?' }], false);
    await until('the second publication', () => publications() === 2);
    await servers.killFirst();
    await Promise.all([menuPatch, startersPatch]);
    platform.dropHanging();

    const write = async (text: string): Promise<boolean> => {
      const response = await fetch(
        `${servers.baseUrl()}/api/v2${social}/conversations/${known?.id}/messages`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${bootstrapKey}`,
            'content-type': 'application/json',
            'idempotency-key': text,
          },
          body: JSON.stringify({ text }),
        },
      ).catch(() => null);
      return response?.status === 202;
    };
    const people: string[] = [];
    const commenters: string[] = [];
    const strangers: string[] = [];
    const written: string[] = [];
    /** Everything that may happen to the channel, once. */
    async function runRound(round: number): Promise<void> {
      const [person, commenter, stranger] = [1000 + round, 2000 + round, 3000 + round].map(String) as [
        string,
        string,
        string,
      ];
      people.push(person);
      commenters.push(commenter);
      strangers.push(stranger);
      const text = `From the console ${round}`;
      written.push(text);
      await Promise.all([
        platform.write(ACCOUNT, person, QUESTION),
        platform.deliver(platform.event.comment(ACCOUNT, commenter, POST, 'Hello')),
        platform.answerByHand(ACCOUNT, stranger, BY_HAND),
        until('the message of the console', () => write(text), 150_000),
      ]);
    }
    const isDone = (round: number) =>
      received(people[round] as string).length > 0 && received(commenters[round] as string).length > 0;

    // A process dies in a call, before and after the platform has sent the message. Only the thread can tell.
    platform.echoes = false;
    for (const after of [false, true]) {
      const before = platform.calls.length;
      platform.fail(
        /POST .*messages$/,
        ...Array.from({ length: 3 }, () => ({ does: 'hang', after }) as const),
      );
      await runRound(people.length);
      // The answer, the reply to the comment, and the message of the console.
      const sends = () => platform.calls.slice(before).filter((call) => /POST .*messages$/.test(call));
      await until('the calls', () => sends().length >= 3);
      await servers.killAll();
      platform.heal();
      platform.dropHanging();
    }
    platform.echoes = true;
    // Processes die before commits of all kinds.
    await servers.killBeforeCommits();
    for (;;) {
      const deaths = servers.deaths();
      const round = people.length;
      await runRound(round);
      await until('an answer or a death', () => isDone(round) || servers.deaths() > deaths);
      if (servers.deaths() === deaths) break;
      if (round > MOST_ROUNDS) throw new Error('Each round has had a new kind of commit.');
    }
    await until(
      'the end of all events',
      async () => {
        const metrics = await fetch(`${servers.baseUrl()}/metrics`).catch(() => null);
        return /^channel_oldest_event_seconds 0$/m.test((await metrics?.text()) ?? '');
      },
      120_000,
    );
    const open = async () => {
      const deliveries = await owner()
        .walk<Delivery>(`${social}/deliveries`)
        .catch(() => null);
      return deliveries?.every(({ status }) => status !== 'waiting' && status !== 'sending') && deliveries;
    };
    const deliveries = await until('the end of all messages', open, 120_000);
    t.comment(`${servers.deaths()} deaths, ${people.length} rounds`);
    t.ok(servers.deaths() >= LEAST_DEATHS, `${servers.deaths()} deaths`);

    const stored = await conversations();
    const said = (person: string) =>
      stored
        .filter(({ userId }) => userId === person)
        .flatMap(({ messages }) => messages.map(({ role, parts }) => `${role}: ${parts[0]?.text}`));
    for (const person of people) {
      t.equal(received(person).length, 1, 'one answer arrives');
      t.strictSame(said(person), [`user: ${QUESTION}`, `assistant: ${received(person)[0]}`]);
    }
    for (const stranger of strangers) t.strictSame(said(stranger), [`assistant: ${BY_HAND}`]);
    const ended = (kind: string) => deliveries.filter((delivery) => delivery.kind === kind);
    const replies = ended('automation');
    t.equal(replies.length, commenters.length);
    for (const { status } of replies) t.match(status, /^(sent|unconfirmed)$/);
    for (const commenter of commenters) {
      t.ok(received(commenter).length <= 1, 'no reply twice');
      t.ok(said(commenter).length <= 1);
    }
    const sent = (some: Delivery[]) => some.filter(({ status }) => status === 'sent').length;
    t.ok(commenters.filter((commenter) => received(commenter).length === 1).length >= sent(replies));
    t.equal(commenters.filter((commenter) => said(commenter).length === 1).length, sent(replies));
    t.strictSame(received(KNOWN).slice(1).sort(), [...written].sort(), 'what the console wrote, once');
    t.strictSame(
      said(KNOWN).slice(2).sort(),
      written.map((text) => `assistant: ${text}`).sort(),
      'what the console wrote is stored once',
    );
    t.equal(sent(ended('human')), written.length);

    interface Profile {
      live: { items: object[] } | null;
      sync: { status: string; error: { code: string } | null };
    }
    const profile = (resource: string) =>
      until(`what is known of ${resource}`, async () => {
        const found = await owner().call<Profile>('GET', `${social}/${resource}`);
        return found.sync.status !== 'running' && found;
      });
    const [menu, starters] = await Promise.all(['persistent-menu', 'conversation-starters'].map(profile));
    t.strictSame([menu?.live?.items, starters?.live?.items], [items, []]);
    t.match(menu, { sync: { status: 'idle', error: null } });
    t.match(starters, { sync: { status: 'failed', error: { code: 'INTERRUPTED' } } });
    t.equal(publications(), 2, 'nothing is published again');
  },
  { atOnce: true },
);
