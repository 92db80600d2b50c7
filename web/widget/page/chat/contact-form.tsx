import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ContactForm as Form } from '../../../../core/agent-settings/handover-settings.js';
import { randomKey } from '../../../client/answer-stream.js';
import { isTemporary } from '../refusal.js';
import type { Strings } from '../strings.js';
import type { ContactDetails } from './chat-service.js';

/** Maximum lengths in characters, as in the API. */
const lengths = { name: 200, email: 254, phone: 40, message: 4000 };
const types = { name: 'text', email: 'email', phone: 'tel' } as const;
const autocomplete = { name: 'name', email: 'email', phone: 'tel' } as const;
const labels = {
  name: 'contactName',
  email: 'contactEmail',
  phone: 'contactPhone',
  message: 'message',
} as const;

export interface ContactFormProps {
  form: Form;
  strings: Strings;
  send(details: ContactDetails, key: string): Promise<void>;
  onSent(): void;
}

/** The form for contact details. The browser checks required fields, and names problems in its language. */
export function ContactForm({ form, strings, send, onSent }: ContactFormProps) {
  const [isSending, setSending] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  /** The same key for the same details, so that they are stored once. */
  const key = useRef(randomKey());
  useEffect(() => element.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isSending || !element.current) return;
    const sent = new FormData(element.current);
    const details: ContactDetails = { consent: sent.has('consent') };
    for (const { name } of form.fields) details[name] = String(sent.get(name) ?? '');
    setSending(true);
    setFailed(false);
    try {
      await send(details, key.current);
      onSent();
    } catch (thrown) {
      if (!isTemporary(thrown)) key.current = randomKey();
      setSending(false);
      setFailed(true);
    }
  }

  return (
    <form ref={element} class="contact" aria-label={strings.text('leaveContact')} onSubmit={submit}>
      {form.intro && <p dir="auto">{form.intro}</p>}
      {form.fields.map((field) => (
        <Field key={field.name} {...field} label={strings.text(labels[field.name])} />
      ))}
      {form.consent && (
        <label class="consent">
          <input type="checkbox" name="consent" required />
          <span dir="auto">{form.consent}</span>
        </label>
      )}
      {hasFailed && (
        <p class="note problem" role="alert">
          {strings.text('actionFailed')}
        </p>
      )}
      <button type="submit" class="plain" disabled={isSending}>
        {strings.text(isSending ? 'sending' : 'send')}
      </button>
    </form>
  );
}

function Field({ name, required, label }: Form['fields'][number] & { label: string }) {
  const id = useId();
  const common = { id, name, required, maxLength: lengths[name], dir: 'auto' } as const;
  return (
    <>
      <label for={id}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {name === 'message' ? (
        <textarea {...common} rows={3} />
      ) : (
        <input {...common} type={types[name] as 'text'} autocomplete={autocomplete[name]} />
      )}
    </>
  );
}
