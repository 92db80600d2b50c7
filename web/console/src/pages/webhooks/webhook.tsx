import { useState } from 'preact/hooks';
import { ask } from '../../api/request.js';
import type { Delivery, Webhook } from '../../api/types.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { useAction, useList, useLoaded } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { ConfirmButton } from '../../parts/confirm.js';
import { Crumbs } from '../../parts/crumbs.js';
import { When } from '../../parts/figures.js';
import { Heading } from '../../parts/heading.js';
import { Loading, More, Problem } from '../../parts/notice.js';
import { several } from '../../parts/numbers.js';
import { Secret } from '../../parts/secret.js';
import { go } from '../../router.js';
import { stateOf, webhookTexts } from './webhooks.js';

/** A webhook with its settings and deliveries. */
export function WebhookPage({ webhookId }: { webhookId: string }) {
  const path = `/webhooks/${webhookId}`;
  const { data, failure, reload, show } = useLoaded((signal) => ask<Webhook>(path, { signal }), [path]);
  const deliveries = useList<Delivery>(`${path}/deliveries`);
  const again = () => {
    reload();
    deliveries.reload();
  };
  const save = async (body: object) => {
    show(await ask<Webhook>(path, { method: 'PATCH', body }));
    confirmDone('Saved.');
  };
  return (
    <>
      <Crumbs crumbs={[['Webhooks', 'webhooks']]} />
      <Problem failure={failure} retry={again} />
      {!data && !failure && <Loading />}
      {data && (
        <>
          <Heading title={data.url}>
            <span class={`state ${data.failingSince === null ? '' : 'failed'}`}>{stateOf(data)}</span>
          </Heading>
          <Controls path={path} onSent={again} />
          <section class="panel">
            <h2>Settings</h2>
            <SchemaForm
              operation="updateWebhook"
              stored={{ ...data }}
              texts={webhookTexts}
              verb="Save"
              send={save}
            />
          </section>
          <h2>Deliveries</h2>
          <Problem failure={deliveries.failure} />
          {deliveries.items?.length === 0 && <p class="muted">No messages yet.</p>}
          <ul class="rows">
            {deliveries.items?.map((delivery) => (
              <Sent key={delivery.id} path={path} delivery={delivery} onSent={again} />
            ))}
          </ul>
          <More more={deliveries.more} />
        </>
      )}
    </>
  );
}

function Controls({ path, onSent }: { path: string; onSent: () => void }) {
  const { busy, failure, run } = useAction();
  const [secret, setSecret] = useState<string | null>(null);
  const test = () =>
    run(async () => {
      await ask(`${path}/test`, { method: 'POST' });
      confirmDone('The test message was sent.');
      onSent();
    });
  return (
    <>
      <div class="actions add">
        <button type="button" disabled={busy} onClick={() => void test()}>
          Send a test
        </button>
        <button type="button" onClick={onSent}>
          Reload
        </button>
        <ConfirmButton
          label="New secret"
          class=""
          title="Rotate the secret?"
          verb="Rotate the secret"
          work={() => ask<{ secret: string }>(`${path}/rotate`, { method: 'POST' })}
          onDone={(created) => setSecret(created.secret)}
        >
          <p>The old one stays valid for 24 hours, so that your receiver can switch.</p>
        </ConfirmButton>
        <ConfirmButton
          label="Delete"
          title="Delete this webhook?"
          verb="Delete webhook"
          work={() => ask(path, { method: 'DELETE' })}
          done="The webhook was deleted."
          onDone={() => go('webhooks')}
        >
          <p>Messages still waiting to be sent are deleted too.</p>
        </ConfirmButton>
      </div>
      <Problem failure={failure} />
      {secret !== null && (
        <Secret secret={secret} onClose={() => setSecret(null)}>
          Your receiver checks the signature of each message with it.
        </Secret>
      )}
    </>
  );
}

function Sent({ path, delivery, onSent }: { path: string; delivery: Delivery; onSent: () => void }) {
  const { id, event, status, attempts, createdAt, nextAttemptAt, answer, error } = delivery;
  const { busy, failure, run } = useAction();
  const again = () =>
    run(async () => {
      await ask(`${path}/deliveries/${id}/redeliver`, { method: 'POST' });
      confirmDone('The message is being sent again.');
      onSent();
    });
  return (
    <li>
      <div>
        {event} <span class={`state ${status}`}>{status}</span>
        <p class="muted small">
          <When seconds={createdAt} /> · {several(attempts, 'attempt')}
          {answer && ` · HTTP ${answer.status}`}
          {nextAttemptAt !== null && (
            <>
              {' · next '}
              <When seconds={nextAttemptAt} />
            </>
          )}
        </p>
        {error && <p class="task-problem">{error.message}</p>}
        <Problem failure={failure} />
      </div>
      <button type="button" disabled={busy} onClick={() => void again()}>
        Send again
      </button>
    </li>
  );
}
