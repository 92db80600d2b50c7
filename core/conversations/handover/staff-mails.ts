import { v7 as uuidv7 } from 'uuid';
import { type Part, quoted } from '../../mail/letter.js';
import { type Stored, URGENT } from '../../mail/outbox.js';
import { MAIL_STOP, type StopLinks } from '../../mail/stop-links.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type { MailedMember } from '../../ports/store/daily-mails.js';
import type { ActiveAgent, HandoverMails, WaitingConversation } from '../../ports/store/handover-mails.js';
import type { Mails, NewMail } from '../../ports/store/mails.js';
import type { Keyring } from '../../secrets/keyring.js';
import type { Availability } from './availability.js';

interface StaffMailOptions {
  handoverMails: HandoverMails;
  mails: Pick<Mails, 'addOnce'>;
  availability: Pick<Availability, 'isInboxOpen'>;
  keyring: Pick<Keyring, 'seal'>;
  stopLinks: Pick<StopLinks, 'tokenOf'>;
  publicUrl: string | null;
  clock: Clock;
}

/** While the inbox is open, a request is mailed only after this time, in seconds. */
const PATIENCE_S = 30;
/** Pause between two e-mails to a member about an agent, in seconds. */
const PAUSE_S = 600;
/** Older requests and contact details are not mailed, for example after mail was configured. */
const OLDEST_S = 3600;
const MOST_NAMED = 50;

/**
 * Returns the work that mails members about waiting visitors and new contact details: at most once
 * per member and agent in ten minutes, with all visitors that wait then. The key of an e-mail contains the time of the one
 * before it, so several processes make one.
 */
export function createStaffMails(options: StaffMailOptions): () => Promise<void> {
  const { handoverMails, mails, availability, keyring, stopLinks, publicUrl, clock } = options;

  const link = (...parts: string[]): { url: string } | object =>
    publicUrl === null ? {} : { url: `${publicUrl}/console#/${parts.map(encodeURIComponent).join('/')}` };

  function partsOf(agent: ActiveAgent, waiting: readonly WaitingConversation[], contacts: number): Part[] {
    const now = seconds(clock.now());
    const list = waiting.map(({ conversationId, title, waitingSince }) => ({
      text: `${quoted(title ?? 'Conversation')} · waits ${minutes(now - waitingSince)}`,
      ...link('agents', agent.id, 'conversations', conversationId),
    }));
    return [
      ...(list.length === 0
        ? []
        : [{ text: `Visitors of ${quoted(agent.name)} wait for a person.` }, { list }]),
      ...(contacts === 0
        ? []
        : [
            { text: `Visitors of ${quoted(agent.name)} have left contact details.` },
            { list: [{ text: 'Read them', ...link('agents', agent.id, 'contacts') }] },
          ]),
    ];
  }

  function mailTo(
    member: MailedMember,
    {
      agent,
      parts,
      isWaiting,
      before,
    }: { agent: ActiveAgent; parts: Part[]; isWaiting: boolean; before: number },
  ): NewMail {
    const id = uuidv7();
    const { workspaceId, id: memberId } = member;
    const stopUrl =
      publicUrl === null
        ? null
        : `${publicUrl}${MAIL_STOP}${stopLinks.tokenOf({ workspaceId, memberId, kind: 'handover' })}`;
    const stored: Stored = {
      subject: isWaiting
        ? `A visitor of ${agent.name} waits for a person`
        : `New contact details for ${agent.name}`,
      parts: [...parts, ...(stopUrl === null ? [] : [{ link: 'Stop these e-mails', url: stopUrl }])],
      ...(stopUrl === null ? {} : { stopUrl }),
    };
    return {
      id,
      kind: 'handover',
      userId: member.userId,
      address: member.email,
      name: member.name,
      content: keyring.seal(id, Buffer.from(JSON.stringify(stored))),
      urgency: URGENT,
      createdAt: seconds(clock.now()),
      onceKey: `handover ${agent.id} ${memberId} ${before}`,
    };
  }

  async function check(agent: ActiveAgent): Promise<void> {
    const now = seconds(clock.now());
    // Without the present second, because further requests may get it.
    const dueUntil = now - 1 - ((await availability.isInboxOpen(agent)) ? PATIENCE_S : 0);
    const [waiting, newestRequest, contacts, members, last] = await Promise.all([
      handoverMails.waiting(agent.id, MOST_NAMED),
      handoverMails.newestRequest(agent.id, dueUntil),
      handoverMails.contactsSince(agent.id, now - OLDEST_S),
      handoverMails.members(agent.workspaceId),
      handoverMails.last(agent.id),
    ]);
    for (const member of members) {
      const { agentIds, notifications } = member;
      if (!notifications.handover || !(agentIds?.includes(agent.id) ?? true)) continue;
      const before = last.find(({ memberId }) => memberId === member.id);
      if (before && now - before.mailedAt < PAUSE_S) continue;
      const since = Math.max(before?.coversUntil ?? 0, now - OLDEST_S);
      const newContacts = contacts.filter((at) => at > since && at <= now - 1).length;
      if (newContacts === 0 && (newestRequest ?? 0) <= since) continue;
      const mail = mailTo(member, {
        agent,
        parts: partsOf(agent, waiting, newContacts),
        isWaiting: waiting.length > 0,
        before: before?.mailedAt ?? 0,
      });
      await mails.addOnce([mail]);
      await handoverMails.mark(agent.id, { memberId: member.id, mailedAt: now, coversUntil: now - 1 });
    }
  }

  return async () => {
    for (const agent of await handoverMails.active(seconds(clock.now()) - OLDEST_S)) await check(agent);
  };
}

const minutes = (waitSeconds: number): string => {
  const n = Math.max(1, Math.round(waitSeconds / 60));
  return n === 1 ? '1 minute' : `${n} minutes`;
};
