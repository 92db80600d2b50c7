import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { channelEventQueue } from '../../../../adapters/sequelize/channels/events.js';
import { channelOutgoing } from '../../../../adapters/sequelize/channels/outgoing.js';
import { connect } from '../../../../adapters/sequelize/connect.js';
import { insertRow } from '../../../../adapters/sequelize/database/row-statements.js';
import { statementsIn } from '../../../../adapters/sequelize/database/statements.js';
import { createTransact } from '../../../../adapters/sequelize/database/transact.js';
import { channelEvents, outgoing } from '../../../../adapters/sequelize/tables/channel-flow.js';
import { channelConnections } from '../../../../adapters/sequelize/tables/channels.js';
import { newEvent } from '../../../../core/channels/new-event.js';
import { newMessage } from '../../../../core/channels/new-message.js';
import type { EventRow, OutgoingRow } from '../../../../core/ports/store/channels/channel-flow.js';
import type { ConnectionRow } from '../../../../core/ports/store/channels/channels.js';
import { createTables } from '../../../support/migrated-database.js';
import { emptyDatabase, onEachEngine } from '../../../support/service.js';

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const claimOptions = {
  leaseUntilMs: NOW_MS + 15_000,
  gatherMs: 1500,
  triesMs: 10 * MINUTE_MS,
  perAccount: 10,
  limit: 4,
};

function connectionRow(accountId: string, changes: Partial<ConnectionRow> = {}): ConnectionRow {
  return {
    agentId: uuidv7(),
    workspaceId: uuidv7(),
    accountId,
    lastAccountId: accountId,
    username: 'acme',
    senderId: accountId,
    status: 'connected',
    permissions: ['messages'],
    token: new Uint8Array([1]),
    tokenId: uuidv7(),
    tokenExpiresAt: null,
    renewAt: null,
    connectedAt: 0,
    reconnectReason: null,
    disconnectedAt: null,
    restUntilMs: 0,
    restMs: 0,
    sendsTatMs: 0,
    repliesTatMs: 0,
    ...changes,
  };
}

let received = 0;
function eventRow(
  { agentId, accountId }: ConnectionRow,
  personId: string,
  changes: Partial<EventRow> = {},
): EventRow {
  const key = `event ${received++}`;
  const event = { kind: 'tap', text: 'x', accountId: accountId as string, key, personId, at: 0 } as const;
  return { ...newEvent(event, agentId, NOW_MS - MINUTE_MS + received), ...changes };
}

const messageRow = (
  { agentId, accountId }: ConnectionRow,
  personId: string,
  changes: Partial<OutgoingRow> = {},
): OutgoingRow => ({
  ...newMessage(
    {
      agentId,
      accountId: accountId as string,
      personId,
      kind: 'automation',
      text: 'x',
      expiresAtMs: NOW_MS * 2,
    },
    NOW_MS - MINUTE_MS,
  ),
  ...changes,
});

await onEachEngine('the queues of the social channel', async (t, engine) => {
  const url = await emptyDatabase(t, engine);
  await createTables(url);
  const connection = connect({ url, poolSize: 4, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const transact = createTransact(connection);
  const events = channelEventQueue(connection, transact);
  const sending = channelOutgoing(connection, transact);

  const run = (sql: string, params: unknown[] = []) =>
    transact.rawTransaction(async (transaction) => {
      const statements = statementsIn(connection, transaction);
      const answer = await statements.executeOnce(sql, params);
      statements.end();
      return answer;
    });
  const begin = async (t: Test, ...rows: ConnectionRow[]): Promise<void> => {
    for (const table of ['connections', 'events', 'messages']) await run(`DELETE FROM channel_${table}`);
    for (const row of rows) await run(...insertRow(channelConnections, channelConnections.encode(row)));
    t.ok(rows.length > 0);
  };
  const insert = async (rows: EventRow[]): Promise<void> => {
    for (const row of rows) await run(...insertRow(channelEvents, channelEvents.encode(row)));
  };
  const queue = async (...rows: OutgoingRow[]): Promise<void> => {
    for (const row of rows) await run(...insertRow(outgoing, outgoing.encode(row)));
  };
  const claimed = async (nowMs = NOW_MS, changes = {}) =>
    (await events.claim(nowMs, { ...claimOptions, ...changes })).map(({ lane }) => lane);

  await t.test('a person with many events does not delay other people', async (t) => {
    const one = connectionRow('100');
    await begin(t, one);
    const many = Array.from({ length: 120 }, () => eventRow(one, 'busy'));
    await insert([...many, eventRow(one, 'quiet')]);
    t.strictSame((await claimed()).sort(), ['message:busy', 'message:quiet']);
    // The next events of the person wait for the attempt in progress.
    await insert([...Array.from({ length: 120 }, () => eventRow(one, 'busy')), eventRow(one, 'another')]);
    t.strictSame(await claimed(), ['message:another']);
  });

  await t.test('accounts take turns', async (t) => {
    const some = Array.from({ length: 6 }, (_, n) => connectionRow(`20${n}`));
    await begin(t, ...some);
    await insert(some.flatMap((one) => Array.from({ length: 20 }, (_, n) => eventRow(one, String(n)))));
    const accounts: string[] = [];
    for (let round = 0; round < 12; round++)
      for (const { connection: of } of await events.claim(NOW_MS, { ...claimOptions, limit: 1 }))
        accounts.push(of.accountId as string);
    const counts = some.map(({ accountId }) => accounts.filter((id) => id === accountId).length);
    t.strictSame(counts, [2, 2, 2, 2, 2, 2]);
  });

  await t.test('workspaces get equal shares, and all accounts of a workspace take turns', async (t) => {
    const workspaceId = uuidv7();
    const some = Array.from({ length: 6 }, (_, n) => connectionRow(`21${n}`, { workspaceId }));
    const other = connectionRow('219');
    await begin(t, ...some, other);
    const busy = (one: ConnectionRow) => Array.from({ length: 20 }, (_, n) => eventRow(one, String(n)));
    const counts = async () => {
      const accounts: string[] = [];
      for (let round = 0; round < 6; round++)
        for (const { connection: of } of await events.claim(NOW_MS, { ...claimOptions, limit: 3 }))
          accounts.push(of.accountId as string);
      return [...some, other].map(({ accountId }) => accounts.filter((id) => id === accountId).length);
    };
    await insert(some.flatMap(busy));
    const alone = await counts();
    t.equal(
      alone.reduce((sum, count) => sum + count, 0),
      18,
      'a workspace alone gets whole rounds',
    );
    t.ok(Math.min(...alone.slice(0, 6)) > 0, `turns of the accounts: ${alone}`);
    await insert(busy(other));
    const [ofOther = 0] = (await counts()).slice(-1);
    t.ok(ofOther >= 6, `${ofOther} of 18 for the other workspace`);
  });

  await t.test('attempts that died long ago do not count', async (t) => {
    const one = connectionRow('300');
    await begin(t, one);
    const died = { status: 'running', attempts: 1, dueAtMs: NOW_MS - 1 } as const;
    await insert([
      eventRow(one, 'old', { ...died, tries: 2, firstTryAtMs: NOW_MS - 11 * MINUTE_MS }),
      eventRow(one, 'new', { ...died, tries: 2, firstTryAtMs: NOW_MS - MINUTE_MS }),
    ]);
    const claims = await events.claim(NOW_MS, claimOptions);
    const tries = claims.flatMap((claim) =>
      claim.events.map(({ personId, tries, firstTryAtMs }) => [personId, tries, firstTryAtMs]),
    );
    t.strictSame(
      tries.toSorted(([a], [b]) => String(b).localeCompare(String(a))),
      [
        ['old', 0, NOW_MS],
        ['new', 3, NOW_MS - MINUTE_MS],
      ],
    );
    const stored = await connection.read(
      'SELECT person_id, tries FROM channel_events ORDER BY person_id',
      [],
    );
    t.strictSame(
      stored.map((row) => Number(row.tries)),
      [3, 0],
    );
  });

  await t.test('private replies over their pace do not delay answers', async (t) => {
    const one = connectionRow('400', { repliesTatMs: NOW_MS + 5000 });
    await begin(t, one);
    const replies = Array.from({ length: 30 }, (_, n) => messageRow(one, 'x', { commentId: `c${n}` }));
    const answer = messageRow(one, 'someone', { kind: 'answer', dueAtMs: NOW_MS });
    await queue(...replies, answer);
    const options = { leaseUntilMs: NOW_MS + 30_000, limit: 10 };
    const sent = await sending.claimOutgoing(NOW_MS, options);
    t.strictSame(
      sent.map(({ row }) => row.id),
      [answer.id],
    );
    const later = await sending.claimOutgoing(NOW_MS + 2 * MINUTE_MS, options);
    t.ok(later.length > 0 && later.every(({ row }) => row.commentId !== null), 'the replies follow');
  });

  await t.test('a resting account does not delay another', async (t) => {
    const resting = Array.from({ length: 30 }, (_, n) =>
      connectionRow(`50${n + 10}`, { restUntilMs: NOW_MS + MINUTE_MS }),
    );
    const awake = connectionRow('599');
    await begin(t, ...resting, awake);
    await queue(...[...resting, awake].map((one) => messageRow(one, 'x')));
    const options = { leaseUntilMs: NOW_MS + 30_000, limit: 10 };
    const rounds = [
      ...(await sending.claimOutgoing(NOW_MS, options)),
      ...(await sending.claimOutgoing(NOW_MS, options)),
    ];
    t.strictSame(
      rounds.map(({ row }) => row.accountId),
      ['599'],
    );
  });

  await t.test('a block outlasts a shorter rest, and follows one', async (t) => {
    const HOUR_MS = 60 * MINUTE_MS;
    const one = connectionRow('600');
    await begin(t, one);
    await queue(messageRow(one, 'x'));
    const claimedAt = async (nowMs: number) =>
      (await sending.claimOutgoing(nowMs, { leaseUntilMs: nowMs + 30_000, limit: 10 })).length;
    // Messages that were under way together are refused for different reasons.
    await sending.rest(one.agentId, NOW_MS, null);
    await sending.rest(one.agentId, NOW_MS, HOUR_MS);
    t.equal(await sending.rest(one.agentId, NOW_MS + 1, null), NOW_MS + HOUR_MS);
    t.equal(await claimedAt(NOW_MS + HOUR_MS - 1), 0, 'the block has not ended');
    t.equal(await claimedAt(NOW_MS + HOUR_MS), 1);
  });
});
