import { v7 as uuidv7 } from 'uuid';
import { isMailOn } from '../agent-settings/notification.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { DailyMails, MailedMember } from '../ports/store/daily-mails.js';
import type { NewMail } from '../ports/store/mails.js';
import {
  type MailedAllowance,
  mailedAllowances,
  type QuotaAlerts,
  type WorkspaceUsage,
} from '../ports/store/quota-alerts.js';
import type { Workspace } from '../ports/store/workspaces.js';
import type { Keyring } from '../secrets/keyring.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { quoted } from './letter.js';
import { DAILY, type Stored } from './outbox.js';
import { MAIL_STOP, type StopLinks } from './stop-links.js';

interface QuotaAlertOptions {
  quotaAlerts: QuotaAlerts;
  dailyMails: Pick<DailyMails, 'agents'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  keyring: Pick<Keyring, 'seal'>;
  stopLinks: Pick<StopLinks, 'tokenOf'>;
  publicUrl: string | null;
  clock: Clock;
}

/** Percentages of an allowance that are mailed, highest first. */
const MARKS = [100, 90];
/** Below this percentage, warnings may be repeated. */
const AGAIN_BELOW = 80;
/** Workspaces per statement. */
const PAGE = 500;

const words: Record<MailedAllowance, (n: number) => string> = {
  agents: (n) => `${n} agents`,
  storageBytes: (n) => `${(n / 1_048_576).toFixed(1)} MiB of sources`,
  members: (n) => `${n} members`,
  visitorMessages: (n) => `${n} messages of visitors today`,
};

/**
 * Returns the work that mails admins when their workspace passes 90 % and 100 % of an allowance: once, until the usage
 * falls below 80 %, or for messages of a day until the next day. It looks at the usage apart from requests, which it must
 * not delay.
 */
export function createQuotaAlerts(options: QuotaAlertOptions): () => Promise<void> {
  const { quotaAlerts, dailyMails, entitlementsOf, keyring, stopLinks, publicUrl, clock } = options;

  function mailTo(member: MailedMember, subject: string, text: string): NewMail {
    const id = uuidv7();
    const { workspaceId, id: memberId } = member;
    const token = stopLinks.tokenOf({ workspaceId, memberId, kind: 'quotaAlerts' });
    const links = {
      stopUrl: `${publicUrl}${MAIL_STOP}${token}`,
      parts: [
        { link: 'Open the console', url: `${publicUrl}/console` },
        { link: 'Stop these e-mails', url: `${publicUrl}${MAIL_STOP}${token}` },
      ],
    };
    const stored: Stored = {
      subject,
      parts: [{ text }, ...(publicUrl === null ? [] : links.parts)],
      ...(publicUrl === null ? {} : { stopUrl: links.stopUrl }),
    };
    return {
      id,
      kind: 'quotaAlerts',
      userId: member.userId,
      address: member.email,
      name: member.name,
      content: keyring.seal(id, Buffer.from(JSON.stringify(stored))),
      urgency: DAILY,
      createdAt: seconds(clock.now()),
      onceKey: null,
    };
  }

  async function mailsAbout(workspace: Workspace, subject: string, text: string): Promise<NewMail[]> {
    const agents = await dailyMails.agents(workspace.id);
    if (!agents.some(({ settings }) => isMailOn(settings, 'quotaAlerts'))) return [];
    const admins = await quotaAlerts.admins(workspace.id);
    return admins
      .filter(({ notifications }) => notifications.quotaAlerts)
      .map((member) => mailTo(member, subject, text));
  }

  async function check({ workspace, used, alerts }: WorkspaceUsage, allowance: MailedAllowance) {
    const { limits } = entitlementsOf(workspace);
    const limit = allowance === 'visitorMessages' ? limits.visitorMessagesPerDay : limits[allowance];
    if (limit === 0) return;
    const now = clock.now();
    const percent = (used[allowance] / limit) * 100;
    const known = alerts.filter((alert) => alert.allowance === allowance);
    // Warnings about messages of a day end with the day, which is UTC.
    const from = allowance === 'visitorMessages' ? Math.floor(now / DAY_MS) * (DAY_MS / 1000) : 0;
    const before = percent < AGAIN_BELOW ? Number.MAX_SAFE_INTEGER : from;
    const lasting = known.filter(({ since }) => since >= before);
    if (lasting.length < known.length) await quotaAlerts.end(workspace.id, allowance, before);
    const reached = MARKS.filter((mark) => percent >= mark);
    const [highest] = reached;
    if (highest === undefined || lasting.some((alert) => alert.percent === highest)) return;
    const subject = `${workspace.name} has used ${highest} % of an allowance`;
    const text = `The workspace ${quoted(workspace.name)} has ${words[allowance](used[allowance])}. Its plan allows ${words[allowance](limit)}.`;
    await quotaAlerts.begin(
      workspace.id,
      reached
        .filter((mark) => !lasting.some((alert) => alert.percent === mark))
        .map((mark) => ({ allowance, percent: mark, since: seconds(now) })),
      await mailsAbout(workspace, subject, text),
    );
  }

  return async () => {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      const page: WorkspaceUsage[] = await quotaAlerts.usage(day, after, PAGE);
      for (const usage of page) for (const allowance of mailedAllowances) await check(usage, allowance);
      after = page.length === PAGE ? page.at(-1)?.workspace.id : undefined;
    }
  };
}

const DAY_MS = 86_400_000;
