import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import { auditing } from '../../audit/change.js';
import { shortenedNetwork } from '../../audit/shortened-network.js';
import { builtInMessages } from '../../locales/built-in-messages.js';
import { escaped } from '../../mail/letter.js';
import { MAIL_STOP, type Stop, type StopLinks } from '../../mail/stop-links.js';
import type { Clock } from '../../ports/clock.port.js';
import type { HandoverMails } from '../../ports/store/handover-mails.js';
import type { People } from '../../ports/store/people/people.js';

export interface MailStopOptions {
  stopLinks: StopLinks;
  people: Pick<People, 'members'>;
  handoverMails: Pick<HandoverMails, 'stop'>;
  networkOf: (request: IncomingMessage) => string;
  clock: Clock;
}

const names: Record<Stop['kind'], string> = {
  dailyConversations: 'the conversations of the day',
  dailyEmails: 'the summary of the day',
  quotaAlerts: 'warnings about allowances',
  handover: 'conversations that wait for a person',
};

/** The page has a form, which posts to its own address. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox allow-forms; form-action 'self'";

/**
 * Serves the pages behind the links that stop e-mails. GET changes nothing, because mail programs follow links; POST stops
 * one kind for one member, also as the one-click unsubscription of RFC 8058. The signed token is the only credential.
 */
export function serveMailStop({ stopLinks, people, handoverMails, networkOf, clock }: MailStopOptions) {
  const mute = (ctx: Context, { workspaceId, memberId, kind }: Stop, name: string): Promise<void> => {
    const notifications = { [kind]: false };
    const change = {
      workspaceId,
      actor: { type: 'user', id: memberId, label: name },
      action: 'updateMe',
      agentId: null,
      requestId: ctx.state.requestId as string,
      address: shortenedNetwork(networkOf(ctx.req)),
      atMs: clock.now(),
      sent: { notifications },
    } as const;
    return auditing(change, () => people.members.choose(memberId, { notifications }));
  };

  return async (ctx: Context, next: Next): Promise<void> => {
    const isPost = ctx.method === 'POST';
    if (!ctx.path.startsWith(MAIL_STOP) || !(isPost || ctx.method === 'GET' || ctx.method === 'HEAD'))
      return next();
    const stop = stopLinks.read(ctx.path.slice(MAIL_STOP.length));
    if (stop && 'hash' in stop) {
      if (isPost) await handoverMails.stop(stop.workspaceId, stop.hash);
      return send(ctx, 200, pageOfAddress(stop.language, isPost));
    }
    const member = stop && (await people.members.find(stop.workspaceId, stop.memberId));
    if (stop === null || member === null) return send(ctx, 404, INVALID);
    if (isPost) await mute(ctx, stop, member.name);
    send(ctx, 200, pageOfMember(names[stop.kind], isPost));
  };
}

function send(ctx: Context, status: number, html: string): void {
  ctx.status = status;
  ctx.set({
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  });
  ctx.type = 'html';
  ctx.body = html;
}

/** The form posts to the address of the page. */
const formOf = (button: string): string =>
  `<form method="post"><button type="submit">${escaped(button)}</button></form>`;

const pageOfMember = (what: string, isDone: boolean): string =>
  page(
    'en',
    'E-mails',
    isDone
      ? `<p>You will not get e-mails about ${what} any more. To get them again, open your profile in the console.</p>`
      : `<p>Stop e-mails about ${what}?</p>\n${formOf('Stop these e-mails')}`,
  );

/** Speaks the language of the e-mails to a visitor. */
function pageOfAddress(language: string | null, isDone: boolean): string {
  const { stopMails, mailsStopped } = builtInMessages(language);
  return page(language ?? 'en', stopMails, isDone ? `<p>${escaped(mailsStopped)}</p>` : formOf(stopMails));
}

const page = (language: string, title: string, body: string): string =>
  `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>\n<body dir="auto">\n${body}\n</body></html>\n`;

const INVALID = page('en', 'E-mails', '<p>This link is not valid.</p>');
