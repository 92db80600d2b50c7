import { useEffect, useState } from 'preact/hooks';
import { agentPath, ask, page, pause } from '../../../api/request.js';
import type { SocialConversation, SocialDelivery } from '../../../api/types.js';
import { SchemaForm } from '../../../forms/schema-form.js';
import { useAction, useLoaded } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { When } from '../../../parts/figures.js';
import { Problem } from '../../../parts/notice.js';
import { to } from '../../../router.js';
import { deliveryStatuses, explain } from '../social/delivery-texts.js';

interface TakeOverProps {
  agentId: string;
  conversationId: string;
  /** Reloads the messages. */
  onChange: () => void;
}

/** Interval at which new messages are looked for. Milliseconds. */
const POLL_MS = 5000;

/** Takes a conversation of the social channel over from the agent, and hands it back. */
export function TakeOver({ agentId, conversationId, onChange }: TakeOverProps) {
  const path = agentPath(agentId, 'channels', 'social', 'conversations', conversationId);
  const { data, failure, reload } = useLoaded((signal) => ask<SocialConversation>(path, { signal }), [path]);
  const { busy, failure: notDone, run } = useAction();
  const [sent, setSent] = useState<SocialDelivery | null>(null);
  const refresh = () => {
    reload();
    onChange();
  };
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
    const delivery = await ask<SocialDelivery>(`${path}/messages`, { method: 'POST', body });
    setSent(delivery);
    refresh();
    void followed(agentId, delivery).then(setSent, () => {});
  };
  if (failure?.code === 'SOCIAL_NOT_CONNECTED')
    return (
      <p class="notice">
        The agent is no longer connected to this account, so nobody can write here.{' '}
        <a href={to('agents', agentId, 'social')}>Connect it</a>
      </p>
    );
  if (failure) return <Problem failure={failure} retry={reload} />;
  if (!data) return null;
  const { paused, pausedUntil, writableUntil } = data;
  return (
    <section class="panel take-over" aria-label="Take over">
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
      <Problem failure={notDone} />
    </section>
  );
}

const isOver = ({ status }: SocialDelivery): boolean => status !== 'waiting' && status !== 'sending';

/** Waits for the outcome of a message, for half a minute. */
async function followed(agentId: string, delivery: SocialDelivery): Promise<SocialDelivery> {
  const path = agentPath(agentId, 'channels', 'social', 'deliveries');
  let current = delivery;
  for (let seconds = 0; seconds < 30 && !isOver(current); seconds += 1) {
    await pause(1000);
    const { data } = await page<SocialDelivery>(path, {}, new AbortController().signal);
    current = data.find(({ id }) => id === delivery.id) ?? current;
  }
  return current;
}

/** What became of the last message. */
const Sent = (delivery: SocialDelivery) => {
  const { name, look } = deliveryStatuses[delivery.status];
  return (
    <p role="status">
      <span class={`state ${look}`}>{name}</span> {explain(delivery) || 'The person has your message.'}
    </p>
  );
};
