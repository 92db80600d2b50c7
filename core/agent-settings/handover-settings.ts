import type { JsonObject } from '../schemas/json.js';
import { limits } from '../schemas/limits.js';
import type { OpeningHours } from './opening-hours.js';

/** When the widget offers a person: in its header, below an unanswered question, or only if the visitor asks. */
export const handoverOffers = ['always', 'unanswered', 'never'] as const;
export type HandoverOffer = (typeof handoverOffers)[number];

export const contactFields = ['name', 'email', 'phone', 'message'] as const;
export type ContactField = (typeof contactFields)[number];

export interface ContactForm {
  /** In the order of the form. */
  fields: { name: ContactField; required: boolean }[];
  intro: string | null;
  thanks: string | null;
  /** Text beside the checkbox. Null: no checkbox. */
  consent: string | null;
}

/** `handover` in the settings of an agent, with defaults. */
export interface HandoverSettings {
  enabled: boolean;
  offer: HandoverOffer;
  hours: OpeningHours | null;
  waitSeconds: number;
  form: ContactForm | null;
  showNames: boolean;
  unansweredMessage: string | null;
}

const defaults: HandoverSettings = {
  enabled: false,
  offer: 'unanswered',
  hours: null,
  waitSeconds: limits.handover.waitSeconds.default,
  form: null,
  showNames: true,
  unansweredMessage: null,
};

export const handoverSettings = ({ handover }: JsonObject): HandoverSettings => ({
  ...defaults,
  ...(handover as Partial<HandoverSettings> | undefined),
});
