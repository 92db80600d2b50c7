import { useState } from 'preact/hooks';
import { webhookEvents } from '../../../../../core/schemas/webhook-events.js';
import { ask } from '../../api/request.js';
import type { Webhook } from '../../api/types.js';
import type { FieldTexts } from '../../forms/layout.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { useList } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Dialog } from '../../parts/confirm.js';
import { Heading } from '../../parts/heading.js';
import { Empty } from '../../parts/notice.js';
import { several } from '../../parts/numbers.js';
import { Rows } from '../../parts/rows.js';
import { Secret } from '../../parts/secret.js';
import { to } from '../../router.js';

export const webhookTexts: FieldTexts = {
  events: { about: 'What the service sends.', choices: webhookEvents },
};

export function Webhooks() {
  const list = useList<Webhook>('/webhooks');
  const { items, total, reload } = list;
  const [open, setOpen] = useState<'new' | { secret: string } | null>(null);
  const create = async (body: object) => {
    const { secret } = await ask<Webhook & { secret: string }>('/webhooks', { method: 'POST', body });
    confirmDone('The webhook was created.');
    reload();
    setOpen({ secret });
  };
  const close = () => setOpen(null);
  return (
    <>
      <Heading title="Webhooks">
        <button type="button" class="primary" onClick={() => setOpen('new')}>
          New webhook
        </button>
      </Heading>
      {items && items.length > 0 && <p class="muted">{several(total, 'webhook')}</p>}
      <Rows
        list={list}
        empty={
          <Empty title="No webhooks yet.">
            <p>A webhook tells your own service when training has ended or something has failed.</p>
          </Empty>
        }
      >
        {(webhook) => (
          <li key={webhook.id}>
            <div>
              <a href={to('webhooks', webhook.id)}>{webhook.url}</a>
              <p class="muted small">
                {webhook.description && `${webhook.description} · `}
                {webhook.events.join(', ')}
              </p>
            </div>
            <span class={`state ${webhook.failingSince === null ? '' : 'failed'}`}>{stateOf(webhook)}</span>
          </li>
        )}
      </Rows>
      {open === 'new' && (
        <Dialog title="New webhook" onClose={close}>
          <SchemaForm
            operation="createWebhook"
            texts={webhookTexts}
            verb="Create webhook"
            send={create}
            onCancel={close}
          />
        </Dialog>
      )}
      {open !== null && open !== 'new' && (
        <Secret secret={open.secret} onClose={close}>
          Your receiver checks the signature of each message with it.
        </Secret>
      )}
    </>
  );
}

export function stateOf({ enabled, disabledReason, failingSince }: Webhook): string {
  if (!enabled) return disabledReason === null ? 'off' : `off: ${disabledReason.toLowerCase()}`;
  return failingSince === null ? 'on' : 'failing';
}
