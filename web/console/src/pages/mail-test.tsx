import { useState } from 'preact/hooks';
import { ask } from '../api/request.js';
import type { Workspace } from '../api/types.js';
import { useAction } from '../loading.js';
import { Problem } from '../parts/notice.js';
import { may } from '../parts/permitted.js';
import { ExampleSettings } from '../parts/settings-to-copy.js';

interface Outcome {
  ok: boolean;
  error: { code: string; message: string } | null;
}

/** Whether the service sends e-mails, with a button that tries it. */
export function MailTest({ mail }: Pick<Workspace, 'mail'>) {
  const { busy, failure, run } = useAction();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  if (!mail.configured)
    return (
      <>
        <p class="muted">
          No mail server is connected, so no e-mails are sent. The operator sets <code>mail.url</code> and{' '}
          <code>mail.from</code>.
        </p>
        <ExampleSettings of="mail" />
      </>
    );
  if (!may('mail.test'))
    return <p class="muted">A mail server is connected. Admins can send a test e-mail.</p>;
  const send = () =>
    run(async () => {
      setOutcome(null);
      setOutcome(await ask<Outcome>('/workspace/mail/test', { method: 'POST' }));
    });
  return (
    <>
      <p class="muted">Sends an e-mail to your own address. This takes up to 30 seconds.</p>
      <button type="button" disabled={busy} onClick={() => void send()}>
        Send a test e-mail
      </button>
      <Problem failure={failure} />
      <p role="status">
        {outcome?.ok && 'The mail server has accepted the e-mail.'}
        {outcome?.error && `${outcome.error.message} (${outcome.error.code})`}
      </p>
    </>
  );
}
