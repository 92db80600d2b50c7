import { useState } from 'preact/hooks';
import type { ContactForm as Form } from '../../../../core/agent-settings/handover-settings.js';
import type { Strings } from '../strings.js';
import type { ContactDetails } from './chat-service.js';

type FormModule = typeof import('./contact-form.js');

interface ContactOfferProps {
  form: Form;
  strings: Strings;
  send(details: ContactDetails, key: string): Promise<void>;
}

/** A button below an answer that opens the form for contact details. The form is loaded then. */
export function ContactOffer({ form, strings, send }: ContactOfferProps) {
  const [loaded, setLoaded] = useState<FormModule | null>(null);
  const [state, setState] = useState<'offered' | 'failed' | 'sent'>('offered');
  if (state === 'sent')
    return (
      <p class="note" role="status" dir="auto">
        {form.thanks ?? strings.text('contactSent')}
      </p>
    );
  if (loaded)
    return <loaded.ContactForm form={form} strings={strings} send={send} onSent={() => setState('sent')} />;
  const open = (): void => void import('./contact-form.js').then(setLoaded, () => setState('failed'));
  return (
    <p class="offer">
      <button type="button" class="plain" onClick={open}>
        {strings.text('leaveContact')}
      </button>
      {state === 'failed' && (
        <span class="note problem" role="alert">
          {strings.text('actionFailed')}
        </span>
      )}
    </p>
  );
}
