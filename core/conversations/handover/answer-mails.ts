import { v7 as uuidv7 } from 'uuid';
import { builtInMessages } from '../../locales/built-in-messages.js';
import { quoted } from '../../mail/letter.js';
import { type Stored, URGENT } from '../../mail/outbox.js';
import { MAIL_STOP, type StopLinks } from '../../mail/stop-links.js';
import { seconds } from '../../ports/clock.port.js';
import type { ConversationTurn } from '../../ports/store/conversations/conversations.js';
import type { JsonObject } from '../../schemas/json.js';
import type { Keyring } from '../../secrets/keyring.js';
import { matchesDomain, type Scheme } from '../../visitors/domains.js';
import { dayOf, endOfDay } from '../../visitors/limits.js';
import { domainsIn } from '../../visitors/open-agent.js';
import { speak } from '../speaking-rate.js';

/** Prefixes of subjects of limits: a conversation, and the addresses of a visitor. */
const CONVERSATION = 'mc:';
const ADDRESSES = 'ma:';
/** At most one e-mail in this time for a conversation, in seconds. */
const PAUSE_S = 600;
/** Addresses of a visitor that get e-mails on a day. */
const MOST_ADDRESSES = 3;
const DAY_MS = 86_400_000;

interface PersonAnswer {
  messageId: number;
  text: string;
  /** Name of the person that visitors see. */
  name: string;
  agent: { name: string; url: string | null };
  settings: JsonObject;
}

/** Mails visitors that a person has answered. */
export interface AnswerMails {
  /**
   * Stores the e-mail in the turn of the answer, if the visitor has left an address and agreed to e-mails, and the limits
   * allow it. It has the words of the person, and none of the visitor's.
   */
  add(turn: ConversationTurn, answer: PersonAnswer, nowMs: number): Promise<void>;
}

export function createAnswerMails({
  keyring,
  stopLinks,
  personHash,
  publicUrl,
}: {
  keyring: Pick<Keyring, 'seal'>;
  stopLinks: Pick<StopLinks, 'addressTokenOf'>;
  /** Returns an HMAC of an address. */
  personHash: (kind: 'email', address: string) => string;
  /** E-mails need a link that stops them. */
  publicUrl: string;
}): AnswerMails {
  const scheme = new URL(publicUrl).protocol.slice(0, -1) as Scheme;

  /** The origin is a claim of the visitor. Without a match with a domain of the agent, we would mail links to any page. */
  const linkBack = (origin: string | null, { agent, settings }: Pick<PersonAnswer, 'agent' | 'settings'>) =>
    origin !== null && domainsIn(settings)?.some((domain) => matchesDomain(domain, origin, scheme))
      ? origin
      : agent.url;

  return {
    async add(turn, { messageId, text, name, agent, settings }, nowMs) {
      const { id: conversationId, agentId, workspaceId } = turn.conversation;
      const contact = await turn.consentedContact();
      if (!contact?.email) return;
      const hash = personHash('email', contact.email);
      if (await turn.isStopped(hash)) return;
      if (!(await isRested(turn, conversationId, nowMs))) return;
      if (!(await isAddressAllowed(turn, contact.userId, hash, nowMs))) return;
      const id = uuidv7();
      const language = typeof settings.language === 'string' ? settings.language : contact.language;
      const token = stopLinks.addressTokenOf({ workspaceId, hash, language });
      const stopUrl = `${publicUrl}${MAIL_STOP}${token}`;
      const { personAnswered, continueChat, stopMails } = builtInMessages(language);
      const url = linkBack(contact.origin, { agent, settings });
      const stored: Stored = {
        subject: personAnswered.replace('{name}', () => name),
        parts: [
          { text: `${quoted(name)} · ${quoted(agent.name)}` },
          { text },
          ...(url === null ? [] : [{ link: continueChat, url }]),
          { link: stopMails, url: stopUrl },
        ],
        language: language ?? 'en',
        stopUrl,
      };
      await turn.addMail({
        id,
        kind: 'personAnswered',
        userId: null,
        address: contact.email,
        name: contact.name ?? '',
        content: keyring.seal(id, Buffer.from(JSON.stringify(stored))),
        urgency: URGENT,
        createdAt: seconds(nowMs),
        onceKey: `answer ${agentId} ${messageId}`,
      });
    },
  };
}

async function isRested(turn: ConversationTurn, conversationId: string, nowMs: number): Promise<boolean> {
  const subject = CONVERSATION + conversationId;
  const limit = { maxMessages: 1, windowSeconds: PAUSE_S, limitMessage: '' };
  const spoken = speak(await turn.spoken(subject), nowMs, limit);
  if (!('timesMs' in spoken)) return false;
  await turn.writeSpoken(subject, spoken.timesMs);
  return true;
}

/** Stores the day, and numbers of the addresses of that day. */
async function isAddressAllowed(
  turn: ConversationTurn,
  userId: string,
  hash: string,
  nowMs: number,
): Promise<boolean> {
  const subject = ADDRESSES + userId;
  const today = Math.floor(Date.parse(dayOf(nowMs)) / DAY_MS);
  const [day, ...known] = await turn.spoken(subject);
  const addresses = day === today ? known : [];
  // 48 bits, which a number holds exactly.
  const address = Number.parseInt(hash.slice(0, 12), 16);
  if (addresses.includes(address)) return true;
  if (addresses.length >= MOST_ADDRESSES) return false;
  await turn.writeSpoken(subject, [today, ...addresses, address], { atMs: endOfDay(nowMs) });
  return true;
}
