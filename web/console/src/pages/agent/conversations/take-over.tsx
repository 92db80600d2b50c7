import { useEffect, useRef, useState } from 'preact/hooks';
import { randomKey } from '../../../../../client/answer-stream.js';
import { agentPath, ask, page } from '../../../api/request.js';
import type { SocialConversation, SocialDelivery } from '../../../api/types.js';
import { SchemaForm } from '../../../forms/schema-form.js';
import { useAction, useLoaded } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { When } from '../../../parts/figures.js';
import { Problem } from '../../../parts/notice.js';
import { Permitted } from '../../../parts/permitted.js';
import { to } from '../../../router.js';
import { deliveryStatuses, explain } from '../social/delivery-texts.js';

interface TakeOverProps {
  agentId: string;
  conversationId: string;
  /** Reloads the messages. */
  onChange: () => void;
}

/** Polling interval for new messages, in milliseconds. */
const POLL_MS = 5000;
/** Polling interval for the last message until it has been sent or has failed, in milliseconds. */
const FOLLOW_MS = 2000;

/** Takes a conversation of the social channel over from the agent, or returns it. */
export function TakeOver({ agentId, conversationId, onChange }: TakeOverProps) {
  const path = agentPath(agentId, 'channels', 'social', 'conversations', conversationId);
  const { data, failure, reload } = useLoaded((signal) => ask<SocialConversation>(path, { signal }), [path]);
  const { busy, failure: notDone, run } = useAction();
  const [sent, setSent] = useState<SocialDelivery | null>(null);
  /** The text being sent, with the key of its request. With the same key, a second request sends nothing. */
  const sending = useRef({ text: '', key: '' });
  const refresh = () => {
    reload();
    onChange();
  };
  const isFollowed = sent !== null && !isOver(sent);
  useEffect(() => {
    if (!isFollowed) return;
    const gone = new AbortController();
    const timer = setInterval(() => {
      deliveryOf(agentId, sent.id, gone.signal).then(
        (found) => setSent((last) => (found && last?.id === found.id ? found : last)),
        // Show the last known state until the next poll succeeds.
        () => {},
      );
    }, FOLLOW_MS);
    return () => {
      clearInterval(timer);
      gone.abort();
    };
  }, [sent?.id, isFollowed]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refresh();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [path]);
  const set = (paused: boolean) =>
    run(async () => {
      await ask(path, { method: 'PATCH', body: { paused } });
      confirmDone(paused ? 'The agent stays silent here.' : 'The agent answers the next message.');
      refresh();
    });
  const write = async (body: object) => {
    const text = JSON.stringify(body);
    if (sending.current.text !== text) sending.current = { text, key: randomKey() };
    const headers = { 'idempotency-key': sending.current.key };
    setSent(await ask<SocialDelivery>(`${path}/messages`, { method: 'POST', body, headers }));
    sending.current = { text: '', key: '' };
    refresh();
  };
  if (failure?.code === 'SOCIAL_NOT_CONNECTED')
    return (
      <p class="notice">
        The agent is no longer connected to this account, so nobody can write here.{' '}
        <a href={to('agents', agentId, 'social')}>Connect it</a>
      </p>
    );
  if (!data) return <Problem failure={failure} retry={reload} />;
  const { paused, pausedUntil, writableUntil } = data;
  return (
    <section class="panel take-over" aria-label="Take over">
      <Problem failure={failure} retry={reload} />
      <p role="status">
        {paused ? (
          <>
            <strong>Your team has this conversation.</strong> The agent stays silent
            {pausedUntil === null ? (
              ' until you hand it back.'
            ) : (
              <>
                {'; it answers again '}
                <When seconds={pausedUntil} /> or when you hand the conversation back.
              </>
            )}
          </>
        ) : (
          <>
            <strong>The agent answers here.</strong> If you write, it stays silent for a while.
          </>
        )}
      </p>
      {sent && <Sent {...sent} />}
      <Permitted needs="conversations.answer" what="answering here">
        {writableUntil === null ? (
          <p class="notice">
            The person has not written for a day, so the platform accepts no message. Wait until they write
            again.
          </p>
        ) : (
          <SchemaForm
            operation="sendSocialMessage"
            verb="Send"
            texts={{ text: { label: 'Your message', about: 'The person receives it from the account.' } }}
            send={write}
          />
        )}
        <div class="actions">
          {paused ? (
            <button type="button" disabled={busy} onClick={() => void set(false)}>
              Hand back to the agent
            </button>
          ) : (
            <button type="button" disabled={busy} onClick={() => void set(true)}>
              Silence the agent
            </button>
          )}
        </div>
      </Permitted>
      <Problem failure={notDone} />
    </section>
  );
}

const isOver = ({ status }: SocialDelivery): boolean => status !== 'waiting' && status !== 'sending';

/** Finds a message among the newest ones. */
async function deliveryOf(
  agentId: string,
  wanted: string,
  signal: AbortSignal,
): Promise<SocialDelivery | undefined> {
  const path = agentPath(agentId, 'channels', 'social', 'deliveries');
  const { data } = await page<SocialDelivery>(path, { limit: '100' }, signal);
  return data.find(({ id }) => id === wanted);
}

/** Shows the state of the last message. */
const Sent = (delivery: SocialDelivery) => {
  const { name, look } = deliveryStatuses[delivery.status];
  return (
    <p role="status">
      <span class={`state ${look}`}>{name}</span> {explain(delivery) || 'The person has your message.'}
    </p>
  );
};
