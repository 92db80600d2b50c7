import type { ContactField, ContactForm } from '../../agent-settings/handover-settings.js';
import type { ContactDetails } from '../../conversations/leave-contact.js';
import { invalidField, invalidFields } from '../../errors/api-error.js';
import { emailProblem } from '../../people/email.js';

type Sent = Partial<Record<ContactField, string | null>> & { consent?: boolean };

/**
 * Returns what a visitor has sent with the agent's form, without fields that are not in it. Throws 400 without a form, and
 * for missing fields.
 */
export function contactDetails(form: ContactForm | null, sent: Sent): ContactDetails {
  if (form === null) throw invalidField('form', 'is not set: the agent takes no contact details');
  const problems: Record<string, string[]> = {};
  const details: ContactDetails = { name: null, email: null, phone: null, message: null, consent: null };
  for (const { name, required } of form.fields) {
    details[name] = sent[name] || null;
    if (details[name] === null && required) problems[name] = ['is required'];
  }
  const wrong = details.email === null ? null : emailProblem(details.email);
  if (wrong !== null) problems.email = [wrong];
  if (form.consent !== null && sent.consent !== true)
    problems.consent = ['must be true: the form asks for consent'];
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  return { ...details, consent: form.consent };
}
