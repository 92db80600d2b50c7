import { foldedEmail } from '../../../core/people/email.js';
import type { ErasureClaim, ErasureCounter, PersonOfAgent } from '../../../core/ports/store/erasures.js';
import type { Connection } from '../database/connection.js';
import type { Statements } from '../database/statements.js';
import { countErased } from './count-erased.js';

type Scope = Pick<Statements, 'dialect' | 'select' | 'execute'>;

/** Rows per read of a scanned table. */
const PIECE = 500;

/**
 * Deletes rows by key and counts them. They are selected first, so that only existing rows are locked.
 */
async function eraseRows(
  { dialect, execute }: Scope,
  erasureId: string,
  counter: ErasureCounter,
  {
    table,
    key,
    ids,
    and = '',
    params = [],
  }: { table: string; key: string; ids: unknown[]; and?: string; params?: unknown[] },
): Promise<void> {
  if (ids.length === 0) return;
  const { changed } = await execute(`DELETE FROM ${table} WHERE ${key} IN (?)${and}`, [ids, ...params]);
  await execute(...countErased(dialect, erasureId, counter, changed));
}

/** See `Erasures.eraseDeliveries`. `read` reads outside of transactions. */
export async function eraseDeliveries(
  read: Connection['read'],
  inTransaction: <T>(work: (statements: Statements) => Promise<T>) => Promise<T>,
  { id: erasureId, workspaceId }: Pick<ErasureClaim, 'id' | 'workspaceId'>,
  { ids, after }: { ids: ReadonlySet<string>; after: string },
): Promise<string | null> {
  const rows = await read(
    `SELECT id, body FROM webhook_deliveries WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ${PIECE}`,
    [workspaceId, after],
  );
  const found = rows.filter(({ body }) => hasValue(body, ids)).map(({ id }) => id);
  if (found.length > 0)
    await inTransaction((statements) =>
      eraseRows(statements, erasureId, 'deliveries', { table: 'webhook_deliveries', key: 'id', ids: found }),
    );
  return rows.length < PIECE ? null : String(rows.at(-1)?.id);
}

/** Returns whether a stored JSON text has one of these texts as a value, or, if it is damaged, contains one. */
function hasValue(json: unknown, texts: ReadonlySet<string>): boolean {
  if (typeof json !== 'string') return false;
  const isIn = (value: unknown): boolean =>
    typeof value === 'string'
      ? texts.has(value)
      : typeof value === 'object' && value !== null && Object.values(value).some(isIn);
  try {
    return isIn(JSON.parse(json));
  } catch {
    return [...texts].some((text) => json.includes(text));
  }
}

/** Deletes idempotency keys of these conversations, and stored responses that contain one of these texts. */
async function eraseResponses(scope: Scope, erasureId: string, agentId: string, texts: ReadonlySet<string>) {
  for (let after = ''; ; ) {
    const rows = await scope.select(
      `SELECT key_hash, conversation_id, answer FROM chat_keys WHERE agent_id = ? AND key_hash > ? ORDER BY key_hash LIMIT ${PIECE}`,
      [agentId, after],
    );
    const ids = rows
      .filter(({ conversation_id: id, answer }) => texts.has(String(id)) || hasValue(answer, texts))
      .map(({ key_hash: hash }) => hash);
    await eraseRows(scope, erasureId, 'responses', {
      table: 'chat_keys',
      key: 'key_hash',
      ids,
      and: ' AND agent_id = ?',
      params: [agentId],
    });
    if (rows.length < PIECE) return;
    after = String(rows.at(-1)?.key_hash);
  }
}

/** See `Erasures.eraseTraces`. */
export async function eraseTraces(
  scope: Scope,
  { id: erasureId }: Pick<ErasureClaim, 'id'>,
  agentId: string,
  conversationIds: readonly string[],
): Promise<void> {
  const { dialect, select, execute } = scope;
  await eraseResponses(scope, erasureId, agentId, new Set(conversationIds));
  const rows = await select(
    'SELECT DISTINCT question_hash FROM messages WHERE conversation_id IN (?) AND question_hash IS NOT NULL',
    [[...conversationIds]],
  );
  const hashes = new Set(rows.map((row) => row.question_hash));
  const results = await select(
    'SELECT evaluation_id, position, question_hash FROM evaluation_results WHERE agent_id = ? AND answer IS NOT NULL',
    [agentId],
  );
  let answers = 0;
  for (const { evaluation_id: evaluation, position, question_hash: hash } of results) {
    if (!hashes.has(hash)) continue;
    const sql = 'UPDATE evaluation_results SET answer = NULL WHERE evaluation_id = ? AND position = ?';
    answers += (await execute(sql, [evaluation, position])).changed;
  }
  if (answers > 0) await execute(...countErased(dialect, erasureId, 'evaluationAnswers', answers));
}

/**
 * Deletes what is stored about a person of a social platform without a conversation. Events keep their keys, so that
 * repetitions are still recognised.
 */
async function eraseFromPlatform({ select, execute }: Scope, agentId: string, person: string): Promise<void> {
  const of = [agentId, person];
  const idsIn = async (table: string, column: string): Promise<unknown[]> =>
    (await select(`SELECT ${column} AS id FROM ${table} WHERE agent_id = ? AND person_id = ?`, of)).map(
      ({ id }) => id,
    );
  const events = await idsIn('channel_events', 'id');
  if (events.length > 0)
    await execute(
      `UPDATE channel_events SET body = '{}', person_id = '', lane = '',
          ended_at = COALESCE(ended_at, received_at_ms / 1000),
          status = CASE WHEN status IN ('pending', 'running') THEN 'done' ELSE status END WHERE id IN (?)`,
      [events],
    );
  const replies = await idsIn('channel_recipients', 'delivery_id');
  const messages = [...new Set([...replies, ...(await idsIn('channel_messages', 'id'))])];
  if (messages.length > 0)
    await execute(
      `UPDATE channel_messages SET status = 'deleted', ended_at = COALESCE(ended_at, created_at), text = '', error = NULL,
          once_key = NULL, person_id = NULL, comment_id = NULL WHERE id IN (?)`,
      [messages],
    );
  const keys = await idsIn('channel_recipients', 'target_key');
  if (keys.length > 0)
    await execute('DELETE FROM channel_recipients WHERE agent_id = ? AND target_key IN (?)', [agentId, keys]);
}

/** Selects e-mails by the start of their key. A range, because SQLite does not use the index for LIKE. */
const WITH_KEYS = 'once_key >= ? AND once_key < ?';
/** `!` is the character after the blank. */
const keysUnder = (start: string): [string, string] => [`${start} `, `${start}!`];

/**
 * Deletes unsent e-mails to members about waiting visitors of the agent, because they quote visitors. They are composed
 * again for the remaining requests. Deletes the sent e-mails of these members, too, so that their keys can be used again.
 */
async function eraseStaffMails({ select, execute }: Scope, agentId: string): Promise<void> {
  const mails = await select(
    `SELECT id, status, once_key FROM mails WHERE kind = 'handover' AND ${WITH_KEYS}`,
    keysUnder(`handover ${agentId}`),
  );
  const memberOf = (mail: (typeof mails)[number]) => String(mail.once_key).split(' ')[2];
  const members = new Set(mails.filter(({ status }) => isUnsent(status)).map(memberOf));
  if (members.size === 0) return;
  const ids = mails.filter((mail) => members.has(memberOf(mail))).map(({ id }) => id);
  await execute('DELETE FROM mails WHERE id IN (?)', [ids]);
  await execute('DELETE FROM handover_mailed WHERE agent_id = ? AND member_id IN (?)', [
    agentId,
    [...members],
  ]);
}

const isUnsent = (status: unknown): boolean => status === 'waiting' || status === 'sending';

/** Deletes e-mails about answers of people to these contacts or to this address. */
async function eraseMails(
  { select, execute }: Scope,
  agentId: string,
  contacts: readonly string[],
  address: string | null,
): Promise<void> {
  const left = await select('SELECT email FROM contacts WHERE id IN (?)', [[...contacts]]);
  const addresses = new Set(
    [...left.map(({ email }) => email), address].map((one) => foldedEmail(String(one))),
  );
  const mails = await select(
    `SELECT id, address FROM mails WHERE kind = 'personAnswered' AND ${WITH_KEYS}`,
    keysUnder(`answer ${agentId}`),
  );
  const ids = mails.filter((mail) => addresses.has(foldedEmail(String(mail.address)))).map(({ id }) => id);
  if (ids.length > 0) await execute('DELETE FROM mails WHERE id IN (?)', [ids]);
}

/** See `Erasures.erasePerson`. */
export async function erasePerson(
  scope: Scope,
  erasureId: string,
  { agentId, workspaceId, kind, person }: PersonOfAgent,
): Promise<void> {
  const { select } = scope;
  const contacts = await contactsOf(scope, { agentId, workspaceId, kind, person });
  await eraseMails(scope, agentId, contacts, kind === 'email' ? person : null);
  await eraseRows(scope, erasureId, 'contacts', { table: 'contacts', key: 'id', ids: contacts });
  await eraseResponses(scope, erasureId, agentId, new Set([...contacts, person]));
  if (kind === 'email') return;
  await eraseStaffMails(scope, agentId);
  await eraseFromPlatform(scope, agentId, person);
  const days = await select('SELECT counted_on FROM agent_visitors WHERE agent_id = ? AND user_id = ?', [
    agentId,
    person,
  ]);
  await eraseRows(scope, erasureId, 'visits', {
    table: 'agent_visitors',
    key: 'counted_on',
    ids: days.map((row) => row.counted_on),
    and: ' AND agent_id = ? AND user_id = ?',
    params: [agentId, person],
  });
  const subjects = await select('SELECT subject FROM chat_subjects WHERE agent_id = ?', [agentId]);
  await eraseRows(scope, erasureId, 'limits', {
    table: 'chat_subjects',
    key: 'subject',
    // A subject is a prefix of its limit, a colon, and the user.
    ids: subjects
      .map(({ subject }) => String(subject))
      .filter((subject) => /^[^:]*:/.test(subject) && subject.slice(subject.indexOf(':') + 1) === person),
    and: ' AND agent_id = ?',
    params: [agentId],
  });
}

/** Returns the ids of a person's contact details. */
export async function contactsOf(
  { select }: Pick<Scope, 'select'>,
  { agentId, workspaceId, kind, person }: PersonOfAgent,
): Promise<string[]> {
  const [column, value] = kind === 'email' ? ['email_folded', foldedEmail(person)] : ['user_id', person];
  const rows = await select(
    `SELECT id, ${column} AS person FROM contacts WHERE workspace_id = ? AND ${column} = ? AND agent_id = ?`,
    [workspaceId, value, agentId],
  );
  // The collation of MySQL also finds similar addresses.
  return rows.filter((row) => row.person === value).map((row) => row.id as string);
}
