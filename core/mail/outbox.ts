import { v7 as uuidv7 } from 'uuid';
import { foldedEmail } from '../people/email.js';
import { newLink } from '../people/links.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { RecentEvents } from '../ports/store/channels/recent-events.js';
import type { MailKind, Mails, NewMail } from '../ports/store/mails.js';
import type { NewLink } from '../ports/store/people/links.js';
import type { MailedInvitation } from '../ports/store/people/members.js';
import type { UserRow } from '../ports/store/people/users.js';
import { limits } from '../schemas/limits.js';
import type { Keyring } from '../secrets/keyring.js';
import { letterOf, type Part, quoted } from './letter.js';

/**
 * What is stored of an e-mail: its parts; for a new password the address, whose user is looked up when it is sent; for a
 * daily e-mail the member and the day, because its text is also written when it is sent.
 */
export type Stored =
  | { subject: string; parts: Part[]; language?: string; stopUrl?: string }
  | { resetOf: string }
  | { daily: DailyClaim };

/** A daily e-mail in the outbox. */
export interface DailyClaim {
  memberId: string;
  kind: DailyKind;
  /** Local day on which it is sent, `YYYY-MM-DD`. */
  day: string;
}

export const dailyKinds = ['dailyConversations', 'dailyEmails'] as const;
export type DailyKind = (typeof dailyKinds)[number];

export interface Outbox {
  /** Whether e-mails can have links to the console. */
  hasLinks: boolean;
  /** Returns the mail of an invitation with a link of its own, to be stored with the member; null without links. */
  invitation(about: InvitationMail): MailedInvitation | null;
  /** Takes equally long for known and unknown addresses. Does nothing if the network has asked too often. */
  requestReset(email: string, network: string): Promise<void>;
  prove(user: UserRow): Promise<void>;
  noteNewBrowser(user: UserRow, network: string): Promise<void>;
}

interface InvitationMail {
  email: string;
  workspaceName: string;
  memberId: string;
  workspaceId: string;
  endsAt: number;
}

export const RESET_S = 3600;
const PROVE_S = 7 * 86_400;
/** Owner of rows that belong to no workspace. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';
/** Someone waits for these e-mails. */
export const URGENT = 0;
export const DAILY = 1;

interface OutboxOptions {
  mails: Pick<Mails, 'add'>;
  recentEvents: RecentEvents;
  keyring: Pick<Keyring, 'seal'>;
  publicUrl: string | null;
  clock: Clock;
}

/** Writes e-mails into the outbox, from which one process sends them. */
export function createOutbox({ mails, recentEvents, keyring, publicUrl, clock }: OutboxOptions): Outbox {
  const now = (): number => seconds(clock.now());

  function mailOf(
    kind: MailKind,
    { userId, email, name }: { userId: string | null; email: string; name: string },
    stored: Stored,
  ): NewMail {
    const id = uuidv7();
    const content = keyring.seal(id, Buffer.from(JSON.stringify(stored)));
    return {
      id,
      kind,
      userId,
      address: email,
      name,
      content,
      urgency: URGENT,
      createdAt: now(),
      onceKey: null,
    };
  }

  const put = (
    kind: MailKind,
    to: { userId: string | null; email: string; name: string },
    stored: Stored,
    link: NewLink | null = null,
  ): Promise<void> => mails.add(mailOf(kind, to, stored), link);

  /** Counts a request for a new password. Returns false if there were too many from the network. */
  const mayAsk = (network: string): Promise<boolean> =>
    underLimit(recentEvents, `resets of ${network}`, limits.people.resetsOfNetwork, clock.now());

  /** Counts an e-mail of a kind to a user. Returns false if there were too many, so that the outbox cannot be filled. */
  const mayMail = (kind: MailKind, { id }: UserRow): Promise<boolean> =>
    underLimit(recentEvents, `${kind} for ${id}`, limits.people.mailsOfKind, clock.now());

  return {
    hasLinks: publicUrl !== null,
    invitation({ email, workspaceName, memberId, workspaceId, endsAt }) {
      if (publicUrl === null) return null;
      const { link, token } = newLink('invitation', endsAt, { workspaceId, memberId, isMailed: true });
      const parts = [
        { text: `You have been invited to the workspace ${quoted(workspaceName)}.` },
        { link: 'Accept the invitation', url: `${publicUrl}/console/invitation#${token}` },
        { text: 'The link works once, within 7 days. If you did not expect it, ignore this e-mail.' },
      ];
      const stored = { subject: `Invitation to ${workspaceName}`, parts };
      return { link, mail: mailOf('invitation', { userId: null, email, name: '' }, stored) };
    },
    async requestReset(email, network) {
      if (publicUrl === null || !(await mayAsk(network))) return;
      await put('reset', { userId: null, email: '', name: '' }, { resetOf: foldedEmail(email) });
    },
    async prove(user) {
      if (publicUrl === null || !(await mayMail('prove', user))) return;
      const { link, token } = newLink('prove', now() + PROVE_S, { userId: user.id, isMailed: true });
      const parts = [
        { text: 'Confirm that this is your address.' },
        { link: 'Confirm the address', url: `${publicUrl}/console/prove#${token}` },
        { text: 'Open the link in the browser in which you are signed in.' },
      ];
      await put('prove', { ...user, userId: user.id }, { subject: 'Confirm your address', parts }, link);
    },
    async noteNewBrowser(user, network) {
      if (!(await mayMail('newBrowser', user))) return;
      const parts: Part[] = [
        { text: `Somebody has signed in to your account from a new browser, from the network ${network}.` },
        { text: 'If it was you, there is nothing to do. Otherwise, change your password at once.' },
        ...(publicUrl === null ? [] : [{ link: 'Open your profile', url: `${publicUrl}/console/profile` }]),
      ];
      await put(
        'newBrowser',
        { ...user, userId: user.id },
        { subject: 'New sign-in to your account', parts },
      );
    },
  };
}

/** Writes the letter with a link for a new password. */
export const resetLetter = (publicUrl: string, token: string) =>
  letterOf({
    subject: 'Choose a new password',
    parts: [
      { text: 'Somebody has asked for a new password for your account.' },
      { link: 'Choose a new password', url: `${publicUrl}/console/reset#${token}` },
      { text: 'The link works once, within an hour. If it was not you, ignore this e-mail.' },
    ],
  });

/** Counts an event of the last hour, unless there were `most` already. */
export async function underLimit(
  recentEvents: RecentEvents,
  subject: string,
  most: number,
  nowMs: number,
): Promise<boolean> {
  let isUnder = true;
  await recentEvents.change(INSTALLATION, subject, (timesMs) => {
    const recent = timesMs.filter((time) => time > nowMs - 3_600_000);
    isUnder = recent.length < most;
    return isUnder ? [...recent, nowMs] : recent;
  });
  return isUnder;
}
