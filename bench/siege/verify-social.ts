import type { Installation } from './installation.js';
import type { SocialLedger } from './social-load.js';
import type { Tally } from './tally.js';
import type { Broken } from './verify-api.js';

interface Delivery {
  id: string;
  status: string;
}

/**
 * Compares what people wrote and received on the platform with what is stored. Each delivery carries its id, so the
 * platform's threads show which were sent twice.
 */
export async function verifySocial(
  { rows }: Installation,
  { platform, people, commenters }: SocialLedger,
  { tally, wrong }: { tally: Tally; wrong: (what: string) => void },
): Promise<Broken> {
  const broken = {
    'social messages lost': 0,
    'social messages stored twice': 0,
    'social messages without an answer': 0,
    'social messages answered twice': 0,
    'social answers sent twice': 0,
    'social answers recorded as sent, but not received': 0,
    'social answers received, but not recorded': 0,
    'private replies lost or sent twice': 0,
    'private replies without their conversation': 0,
  };
  const found = (what: keyof typeof broken, of: string): void => {
    broken[what] += 1;
    wrong(`${what}: ${of}`);
  };
  const deliveries = (await rows(
    'SELECT id, status, conversation_id FROM channel_messages',
  )) as unknown as (Delivery & {
    conversation_id: string | null;
  })[];
  const statusOf = new Map(deliveries.map(({ id, status }) => [id, status]));
  for (const { status } of deliveries) tally.add(`social: deliveries ${status}`);
  const received = new Map<string, number>();
  for (const { accountId, personId } of [...people, ...commenters])
    for (const { isFromAccount, metadata } of platform.thread(accountId, personId)) {
      if (!isFromAccount || metadata === null) continue;
      received.set(metadata, (received.get(metadata) ?? 0) + 1);
      const status = statusOf.get(metadata) ?? 'none';
      if (!['sent', 'unconfirmed'].includes(status))
        found('social answers received, but not recorded', `${personId}, delivery ${metadata}: ${status}`);
    }
  for (const [id, times] of received) if (times > 1) found('social answers sent twice', id);
  for (const { id, status } of deliveries)
    if (status === 'sent' && !received.has(id))
      found('social answers recorded as sent, but not received', id);

  const messagesOf = (accountId: string, personId: string) =>
    rows(
      `SELECT m.role, m.script FROM channel_threads t JOIN messages m ON m.conversation_id = t.conversation_id
        WHERE t.account_id = ? AND t.person_id = ? ORDER BY m.id`,
      [accountId, personId],
    );
  for (const { accountId, personId, texts } of people) {
    const messages = await messagesOf(accountId, personId);
    const ofRole = (role: string) => messages.filter((message) => message.role === role);
    for (const text of texts) {
      const times = ofRole('user').filter(({ script }) => String(script).includes(text)).length;
      if (times === 0) found('social messages lost', text);
      if (times > 1) found('social messages stored twice', text);
    }
    if (messages.at(-1)?.role !== 'assistant') found('social messages without an answer', personId);
    if (ofRole('assistant').length > ofRole('user').length) found('social messages answered twice', personId);
  }
  const conversations = await rows('SELECT account_id, person_id, conversation_id FROM channel_threads');
  for (const { accountId, personId } of commenters) {
    const ids = platform
      .thread(accountId, personId)
      .flatMap(({ metadata }) => (metadata === null ? [] : [metadata]));
    if (ids.length > 1) found('private replies lost or sent twice', personId);
    const [id] = ids;
    if (id === undefined || statusOf.get(id) !== 'sent') continue;
    const thread = conversations.find((row) => row.account_id === accountId && row.person_id === personId);
    const delivery = deliveries.find((row) => row.id === id);
    if (!thread || delivery?.conversation_id !== thread.conversation_id)
      found('private replies without their conversation', personId);
  }
  // Each comment has a reply that was sent, or that may have been.
  const [replies] = await rows('SELECT COUNT(*) AS n FROM channel_messages WHERE comment_id IS NOT NULL');
  if (Number(replies?.n) !== commenters.length)
    found('private replies lost or sent twice', `${replies?.n} replies to ${commenters.length} comments`);
  return broken;
}
