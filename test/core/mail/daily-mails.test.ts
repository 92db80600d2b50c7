import { dailyClaims } from '../../../core/mail/daily/claims.js';
import type { AnswerOutcome } from '../../../core/schemas/answer-outcomes.js';
import { createKeyring } from '../../../core/secrets/keyring.js';
import { newMember, newOwner, type Owner, type TestBrowser } from '../../support/browser.js';
import { chatWith } from '../../support/chat.js';
import { testKeyring } from '../../support/keyring.js';
import { mailing, publicUrl } from '../../support/mailing.js';
import { finish, scriptedAnswerer, stepStart } from '../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';

/** A clock that tests set. It runs on. */
function settableClock(at: string) {
  let offset = Date.parse(at) - Date.now();
  return {
    now: () => Date.now() + offset,
    set(to: string) {
      offset = Date.parse(to) - Date.now();
    },
  };
}

const choose = async ({ workspaceId }: Owner, browser: TestBrowser, choices: object): Promise<void> => {
  const { status, text } = await browser.api(workspaceId, 'PATCH', '/me', choices);
  if (status !== 200) throw new Error(text);
};

const idOf = async ({ workspaceId, browser }: Owner): Promise<string> =>
  (await browser.api<{ id: string }>(workspaceId, 'GET', '/me')).body.id;

await onEachEngine('each member gets one e-mail about the day before', async (t, engine) => {
  const clock = settableClock('2026-11-26T12:00:00Z');
  const answerer = scriptedAnswerer();
  const { service, received, mailTo, prove } = await mailing(t, { engine, clock, answerer });
  const owner = await newOwner(service);
  const api = service.api(owner.apiKey);
  const [chat, other] = [await chatWith(api), await chatWith(api)];
  await api.patch(chat.at('/settings/notifications'), { dailyConversations: true });
  const viewer = await newMember(service, owner, { role: 'viewer' });
  const limited = await newMember(service, owner, { role: 'support', agentIds: [other.agentId] });
  const muted = await newMember(service, owner, { role: 'editor' });
  const unproven = await newMember(service, owner, { role: 'admin' });
  for (const person of [owner, viewer, limited, muted]) await prove(person);
  await choose(owner, muted.browser, { notifications: { dailyEmails: false, dailyConversations: false } });

  const say = async (message: string, outcome: AnswerOutcome) => {
    answerer.play(async function* () {
      yield stepStart;
      yield { type: 'text', text: 'So.' };
      yield { type: 'step-finish' };
      yield { ...finish(), outcome };
    });
    return chat.say(message);
  };
  const hostile = 'Do you ship to <b>Oslo</b>?\r\nBcc: all@acme.example';
  const first = await say(hostile, 'unanswered');
  await say(hostile, 'unanswered');
  await say('How heavy is it?', 'answered');
  const { conversationId } = first.metadata;
  const rated = chat.at(`/conversations/${conversationId}/messages/${first.id}/feedback`);
  t.equal((await api.patch(rated, { feedback: 'negative' })).status, 200);
  const before = received.length;
  const daily = () => received.slice(before);

  clock.set('2026-11-27T07:59:00Z');
  await service.beside();
  clock.set('2026-11-27T08:01:00Z');
  await Promise.all([service.beside(), service.beside()]);
  const summary = await mailTo(owner.email, /Subject: Summary/, before);
  t.match(summary.text, 'Summary of 26 November 2026');
  t.match(summary.text, '3 questions');
  t.match(summary.text, '33 % answered');
  t.match(summary.text, '1 negative rating');
  t.match(summary.text, `${publicUrl}/console#/agents/${chat.agentId}/questions/`);
  t.match(summary.text, 'Do you ship to &lt;b&gt;Oslo&lt;/b&gt;? Bcc: all@acme.example', 'on one line');
  t.notMatch(summary.source, /^bcc:/im);
  t.match(summary.source, /^Message-ID: <[\w-]{36}@/im);
  const stopUrl = /^List-Unsubscribe: <([^>]+)>/im.exec(summary.source.replace(/\r\n\s+/g, ' '))?.[1] ?? '';
  t.ok(stopUrl.startsWith(`${publicUrl}/mail/stop/`), stopUrl);
  t.match(summary.source, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const list = await mailTo(owner.email, /Subject: Conversations/, before);
  t.match(list.text, `${publicUrl}/console#/agents/${chat.agentId}/conversations/${conversationId}`);
  t.match(list.text, /12:0\d · Do you ship to <b>Oslo<\/b>\? Bcc: \S+ · not answered · rated negative/);

  const path = stopUrl.slice(publicUrl.length);
  const at = (changed: string) => service.baseUrl + changed;
  const mutes = async () =>
    (await owner.browser.api<{ notifications: object }>(owner.workspaceId, 'GET', '/me')).body.notifications;
  const shown = await fetch(at(path));
  t.match(await shown.text(), '<form method="post">');
  t.equal(
    shown.headers.get('content-security-policy'),
    "default-src 'none'; frame-ancestors 'none'; sandbox allow-forms; form-action 'self'",
  );
  t.match(await mutes(), { dailyEmails: true, dailyConversations: true }, 'GET changes nothing');
  const forged = path.replace('.dailyEmails.', '.quotaAlerts.');
  t.equal((await fetch(at(forged), { method: 'POST' })).status, 404);
  t.match(await mutes(), { dailyEmails: true, quotaAlerts: true });
  const oneClick = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' };
  const stopped = await fetch(at(path), {
    method: 'POST',
    headers: oneClick,
    body: 'List-Unsubscribe=One-Click',
  });
  t.equal(stopped.status, 200);
  t.match(await mutes(), { dailyEmails: false, dailyConversations: true, quotaAlerts: true });
  const [change] = (
    await api.get<{ data: { action: string; actor: object }[] }>('/audit?action=updateMe&limit=1')
  ).body.data;
  t.match(change, { action: 'updateMe', actor: { type: 'user', label: 'Ada' } });
  await choose(owner, owner.browser, { notifications: { dailyEmails: true } });

  const ownerId = await idOf(owner);
  for (const day of ['2026-11-28', '2026-11-27', '2026-12-05']) {
    clock.set(`${day}T08:30:00Z`);
    await service.beside();
    await until(`the claim of ${day}`, async () => {
      const key = `${ownerId} dailyEmails ${day}`;
      return (await service.store.mails.known([key])).size === 1;
    });
    await until('nothing waits', async () => (await service.store.mails.counts()).waiting === 0);
  }
  t.strictSame(
    daily().map(({ to }) => to[0]),
    [owner.email, owner.email],
    'once, also when the clock jumps; none on a day without questions',
  );
  t.notOk(daily().some(({ to }) => to[0] === unproven.email));
});

await onEachEngine('an e-mail whose day has passed while it waited is dropped', async (t, engine) => {
  const clock = settableClock('2026-11-26T12:00:00Z');
  const { service, received, prove } = await mailing(t, { engine, clock });
  const owner = await newOwner(service);
  const chat = await chatWith(service.api(owner.apiKey));
  await prove(owner);
  await chat.say('How heavy is it?');
  const before = received.length;
  clock.set('2026-11-28T00:01:00Z');
  const { dailyMails, mails } = service.store;
  const installation = await service.store.secret();
  const keyring = createKeyring({ key: null, previousKeys: [], installation });
  await dailyClaims({
    dailyMails,
    mails,
    keyring,
    clock: { now: () => Date.parse('2026-11-27T23:59:00Z') },
  })();
  await until('nothing waits', async () => (await mails.counts()).waiting === 0);
  t.equal(received.length, before);
});

await onEachEngine(
  'a member is claimed once for each local day, over changes of clocks',
  async (t, engine) => {
    const service = await startTestService(t, { engine });
    const owner = await newOwner(service);
    const zones = ['America/New_York', 'Pacific/Kiritimati', 'Africa/Cairo', 'Australia/Lord_Howe'];
    for (const timeZone of zones) {
      const member = await newMember(service, owner, { role: 'support' });
      await choose(owner, member.browser, { timeZone });
      await proveDirectly(member.email);
    }
    const { dailyMails, mails } = service.store;
    async function proveDirectly(email: string) {
      const user = await service.store.people.users.findByEmail(email);
      await service.store.people.identities.bind(
        { issuer: 'test', subject: email, userId: user?.id ?? '', password: null, now: 1 },
        user?.id ?? null,
      );
    }
    // The four days begin on five local days, but for Cairo, where they begin before 08:00.
    for (const from of ['2026-03-06', '2026-10-30', '2026-04-22', '2026-10-02']) {
      const already = (await mails.counts()).waiting;
      let ms = Date.parse(from);
      for (; ms < Date.parse(from) + 4 * 86_400_000; ms += 3_000_000)
        await dailyClaims({ dailyMails, mails, keyring: testKeyring, clock: { now: () => ms } })();
      t.equal((await mails.counts()).waiting - already, 2 * 19, `from ${from}`);
    }
  },
);
