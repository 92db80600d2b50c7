import type { SocialDelivery } from '../../../api/types.js';
import { reasonOf } from './channel-failures.js';

interface StatusText {
  name: string;
  about: string;
  /** CSS class of the label. */
  look: 'ready' | 'failed' | 'running' | '';
}

export const deliveryStatuses: Record<SocialDelivery['status'], StatusText> = {
  waiting: { name: 'Waiting', about: 'It is sent as soon as the platform allows it.', look: 'running' },
  sending: { name: 'Being sent', about: 'The platform has not answered yet.', look: 'running' },
  sent: { name: 'Sent', about: '', look: 'ready' },
  failed: { name: 'Refused', about: 'The platform refused it.', look: 'failed' },
  expired: {
    name: 'Too late',
    about:
      'The platform accepts a message for a day after the person has written, and a reply to a comment for a week.',
    look: 'failed',
  },
  cancelled: {
    name: 'Not sent',
    about:
      'Someone took the conversation over, an earlier part was refused, or the account was disconnected.',
    look: '',
  },
  unconfirmed: {
    name: 'Unknown',
    about:
      'The platform may have sent it. Cadre does not send it again, because the person could get it twice.',
    look: 'failed',
  },
};

export const deliveryKinds: Record<SocialDelivery['kind'], string> = {
  answer: 'Answer of the agent',
  automation: 'Message of an automation',
  human: 'Written by your team',
};

/** Returns why a message was not sent, or not yet; empty if it was sent. */
export const explain = ({ status, error }: Pick<SocialDelivery, 'status' | 'error'>): string =>
  status !== 'sent' && status !== 'expired' && error ? reasonOf(error) : deliveryStatuses[status].about;
