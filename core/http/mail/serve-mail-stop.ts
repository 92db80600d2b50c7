import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import { auditing } from '../../audit/change.js';
import { shortenedNetwork } from '../../audit/shortened-network.js';
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

const ANSWERS = 'answers to your messages';

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
    const what = stop && ('hash' in stop ? ANSWERS : names[stop.kind]);
    const member = stop && 'kind' in stop ? await people.members.find(stop.workspaceId, stop.memberId) : null;
    const isKnown = stop !== null && ('hash' in stop || member !== null);
    if (isPost && stop && 'hash' in stop) await handoverMails.stop(stop.workspaceId, stop.hash);
    else if (isPost && stop && 'kind' in stop && member) await mute(ctx, stop, member.name);
    ctx.status = isKnown ? 200 : 404;
    ctx.set({
      'content-security-policy': POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
    ctx.type = 'html';
    ctx.body = page(
      isKnown && what ? bodyFor(what, isPost, member !== null) : '<p>This link is not valid.</p>',
    );
  };
}

const bodyFor = (what: string, isDone: boolean, isMember: boolean): string => {
  const again = isMember ? ' To get them again, open your profile in the console.' : '';
  return isDone
    ? `<p>You will not get e-mails about ${what} any more.${again}</p>`
    : `<p>Stop e-mails about ${what}?</p>\n<form method="post"><button type="submit">Stop these e-mails</button></form>`;
};

const page = (body: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>E-mails</title></head>\n<body>\n${body}\n</body></html>\n`;
