import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { connect } from '../../adapters/sequelize/connect.js';
import { openStore } from '../../adapters/sequelize/index.js';
import { startServer } from './server-process.js';
import { testMailServer } from './smtp.js';
import { tempFolder } from './temp-folder.js';
import { until } from './until.js';
import { createWorkspace } from './workspace.js';

export interface DailyMailFigures {
  messages: number;
  /** Expected e-mails that did not arrive. */
  missing: number;
  /** E-mails that arrived again. Each kill can cause one, if the server had accepted an e-mail. */
  twice: number;
  kills: number;
  seconds: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Returns a zone in which it is about noon, so that daily e-mails are due whenever this runs. */
function noonZone(): string {
  const hours = 12 - new Date().getUTCHours();
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/**
 * Lets a service send the daily e-mails of all members, with every setting on, and kills it with SIGKILL while it sends. After
 * a kill, the lease of the dead sender is ended, which would otherwise last two minutes.
 */
export async function dailyMailRounds(
  t: Test,
  {
    url,
    members,
    agents,
    kills,
    perMinute,
  }: { url: string; members: number; agents: number; kills: number; perMinute: number },
): Promise<DailyMailFigures> {
  const connection = connect({ url, poolSize: 2, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const run = (sql: string, values: unknown[]) => connection.sequelize.query(sql, { replacements: values });
  await fill(url, run, members, agents);

  const { port, received } = await testMailServer(t);
  const dataDir = tempFolder(t);
  const config = {
    mail: { url: `smtp://127.0.0.1:${port}`, from: 'Acme <help@acme.example>', perMinute },
    http: { publicUrl: 'http://localhost:3000' },
  };
  const start = () => startServer({ dataDir, config, env: { DATABASE_URL: url } });
  const began = performance.now();
  let server = await start();
  t.teardown(() => server.killAll());
  for (let kill = 0; kill < kills; kill++) {
    const before = received.length;
    await until('the service sends', async () => received.length > before, 60_000);
    await sleep(Math.random() * 100);
    await server.killAll();
    await run('UPDATE mail_senders SET lease_until_ms = 0', []);
    server = await start();
  }
  const store = openStore({ url, poolSize: 2, statementTimeoutMs: 15_000 });
  t.teardown(() => store.close());
  await until('everything is sent', async () => (await store.mails.counts()).waiting === 0, 120_000);
  const seconds = Math.round((performance.now() - began) / 1000);
  await server.stop();

  const ids = received.map(({ source }) => /^Message-ID: (\S+)/im.exec(source)?.[1]);
  const subjects = new Set(
    received.map(({ to, text }) => `${to[0]} ${/^Subject: (\w+)/im.exec(text)?.[1] ?? ''}`),
  );
  return {
    messages: received.length,
    missing: members * 2 - subjects.size,
    twice: ids.length - new Set(ids).size,
    kills,
    seconds,
  };
}

async function fill(
  url: string,
  run: (sql: string, values: unknown[]) => Promise<unknown>,
  members: number,
  agents: number,
): Promise<void> {
  const store = openStore({ url, poolSize: 2, statementTimeoutMs: 15_000 });
  await store.migrate();
  const { id: workspaceId } = await createWorkspace(store.workspaces, {});
  await store.close();
  const yesterdayMs = Date.now() - DAY_MS - HOUR_MS;
  const at = Math.floor(yesterdayMs / 1000);
  const insert = (table: string, row: Record<string, unknown>) =>
    run(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row).map(() => '?')})`,
      Object.values(row),
    );
  const times = { created_at: at };
  for (let n = 0; n < members; n++) {
    const [userId, email] = [uuidv7(), `member${n}@acme.example`];
    const hash = randomBytes(32).toString('hex');
    const user = { id: userId, email, email_hash: hash, name: `Member ${n}`, time_zone: noonZone() };
    await insert('users', { ...user, proven_at: at, ...times });
    const ids = { id: uuidv7(), workspace_id: workspaceId, user_id: userId };
    await insert('members', { ...ids, role: 'support', joined_at: at, notifications: '{}', ...times });
  }
  const settings = JSON.stringify({ notification: { dailyConversations: true } });
  for (let n = 0; n < agents; n++) {
    const [agentId, conversationId] = [uuidv7(), uuidv7({ msecs: yesterdayMs + n })];
    const owner = { workspace_id: workspaceId };
    await insert('agents', { id: agentId, ...owner, name: `Agent ${n}`, settings, version: 1, ...times });
    const conversation = { id: conversationId, agent_id: agentId, ...owner, source: 'api', messages: 2 };
    await insert('conversations', { ...conversation, tool_records: 0, ...times, updated_at: at });
    const message = { conversation_id: conversationId, agent_id: agentId, draft: 0, ...times };
    const script = JSON.stringify([{ kind: 'text', part: 0, text: `Question ${n}?` }]);
    await insert('messages', { ...message, role: 'user', status: 'completed', script });
    const answer = { role: 'assistant', status: 'completed', script, outcome: 'unanswered' };
    await run(
      `INSERT INTO messages (conversation_id, agent_id, draft, created_at, role, status, script, outcome, question_hash, user_message_id)
        SELECT ?, ?, 0, ?, ?, ?, ?, ?, ?, MAX(id) FROM messages WHERE conversation_id = ?`,
      [conversationId, agentId, at, ...Object.values(answer), `hash ${n}`, conversationId],
    );
  }
}
