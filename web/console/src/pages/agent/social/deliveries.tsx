import { useState } from 'preact/hooks';
import { agentPath } from '../../../api/request.js';
import type { SocialDelivery } from '../../../api/types.js';
import { useList } from '../../../loading.js';
import { When } from '../../../parts/figures.js';
import { Filter, Total } from '../../../parts/filter.js';
import { Empty } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { Rows } from '../../../parts/rows.js';
import { to } from '../../../router.js';
import { deliveryKinds, deliveryStatuses, explain } from './delivery-texts.js';

const statuses = Object.entries(deliveryStatuses).map(([value, { name }]) => [value, name] as const);

/** Messages to people, newest first, and why some were not sent. */
export function Deliveries({ agentId }: { agentId: string }) {
  const [status, setStatus] = useState('');
  const path = agentPath(agentId, 'channels', 'social', 'deliveries');
  const list = useList<SocialDelivery>(path, { status });
  const { reload } = list;
  return (
    <section>
      <div class="find">
        <h2>Messages sent</h2>
        <Filter label="Status" any="Any status" choices={statuses} value={status} onChange={setStatus} />
        <button type="button" onClick={reload}>
          Reload
        </button>
        <Total list={list} what="message" />
      </div>
      <p class="muted">What the agent and your team sent to people in the last 30 days.</p>
      <Rows
        list={list}
        empty={<Empty title={status === '' ? 'No messages yet.' : 'No message has this status.'} />}
      >
        {(delivery) => <Row key={delivery.id} agentId={agentId} delivery={delivery} />}
      </Rows>
    </section>
  );
}

function Row({ agentId, delivery }: { agentId: string; delivery: SocialDelivery }) {
  const { conversationId, kind, status, attempts, createdAt, sentAt } = delivery;
  const { name, look } = deliveryStatuses[status];
  const reason = explain(delivery);
  return (
    <li>
      <div>
        {conversationId === null ? (
          <strong>{deliveryKinds[kind]}</strong>
        ) : (
          <a href={to('agents', agentId, 'conversations', conversationId)}>{deliveryKinds[kind]}</a>
        )}
        <p class="muted small">
          <When seconds={sentAt ?? createdAt} />
          {attempts > 1 && ` · ${several(attempts, 'attempt')}`}
        </p>
        {reason && <p class={look === 'failed' ? 'task-problem small' : 'muted small'}>{reason}</p>}
      </div>
      <span class={`state ${look}`}>{name}</span>
    </li>
  );
}
