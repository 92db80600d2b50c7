import { Type } from '@sinclair/typebox';
import type { JsonObject } from '../schemas/json.js';
import { limits } from '../schemas/limits.js';
import { nullable, oneOf, someOf } from '../schemas/shapes.js';
import { weekdays } from '../schemas/weekdays.js';
import { contactFields, handoverOffers } from './handover-settings.js';
import { settingsGroup } from './settings-group.js';

const optional = Type.Optional;
const { spans, waitSeconds, formText, consent, unansweredMessage } = limits.handover;

const time = Type.String({ format: 'time-of-day' });
const span = Type.Array(time, { minItems: 2, maxItems: 2, examples: [['09:00', '17:00']] });
const day = Type.Array(span, { maxItems: spans, spansOfDay: true });

const hours = nullable(
  Type.Object(
    {
      timeZone: Type.String({ format: 'time-zone', description: 'IANA name', examples: ['Europe/Berlin'] }),
      days: Type.Object(Object.fromEntries(weekdays.map((name) => [name, optional(day)])), {
        description: 'A missing day is closed',
      }),
    },
    { description: 'Replaced as a whole. null: always' },
  ),
);

const textOrNull = (maxLength: number, description: string) =>
  optional(nullable(Type.String({ trim: true, maxLength, notBlank: true, description })));

const form = nullable(
  Type.Object(
    {
      fields: Type.Array(Type.Object({ name: oneOf(contactFields), required: Type.Boolean() }), {
        minItems: 1,
        maxItems: contactFields.length,
        distinctNames: true,
      }),
      intro: textOrNull(formText, 'Above the fields'),
      thanks: textOrNull(formText, 'In place of the form after it was sent'),
      consent: textOrNull(
        consent,
        'Beside a checkbox that must be ticked. Without it, no e-mail is sent to visitors',
      ),
    },
    { description: 'Replaced as a whole. null: no form' },
  ),
);

const fields = {
  enabled: optional(Type.Boolean({ default: false, description: 'Whether visitors may ask for a person' })),
  offer: optional(oneOf(handoverOffers, { default: 'unanswered' })),
  hours: optional(hours),
  waitSeconds: optional(
    Type.Integer({
      minimum: waitSeconds.min,
      maximum: waitSeconds.max,
      default: waitSeconds.default,
      description: 'Time after which the widget also shows the form to a waiting visitor, in seconds',
    }),
  ),
  form: optional(form),
  showNames: optional(
    Type.Boolean({
      default: true,
      description: "Whether visitors see the person's name instead of the agent's",
    }),
  ),
  unansweredMessage: optional(
    nullable(
      Type.String({
        trim: true,
        minLength: 1,
        maxLength: unansweredMessage,
        noCitation: true,
        description:
          'Sent in place of the built-in sentence if the sources do not answer a question. Links such as `[Write to us](https://acme.com/contact)` with http, https or mailto; all other Markdown is shown as text',
      }),
    ),
  ),
};

export const handover = settingsGroup({
  path: 'handover',
  extension: true,
  apart: true,
  key: 'handover',
  name: 'handover',
  operation: 'Handover',
  about:
    'How visitors reach a person, what the contact form asks for, and what the agent says if it has no answer. `unansweredMessage` has an effect even if `enabled` is false. `requestPerson` says when a request is accepted.',
  fields,
  body: someOf(fields),
  conversion: {
    toSettings: ({ form: sent, ...others }) => ({
      handover: {
        ...others,
        ...(sent === undefined
          ? {}
          : { form: sent && { intro: null, thanks: null, consent: null, ...sent } }),
      } as JsonObject,
    }),
    toFields: ({ handover: stored }) => (stored ?? {}) as JsonObject,
  },
});
