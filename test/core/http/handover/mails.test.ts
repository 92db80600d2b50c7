import { type Letter, MailFailure } from '../../../../core/ports/mail.port.js';
import { body } from '../../../support/api-client.js';
import { newMember, newOwner } from '../../../support/browser.js';
import { mailing, publicUrl, tokenIn } from '../../../support/mailing.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { noCache, visitedAgent } from '../../../support/visited-agent.js';

const MINUTE = 60_000;
const day = [['00:00', '24:00']];
const hours = {
  timeZone: 'UTC',
  days: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, day])),
};
const WAITS = /waits for a person/;

await onEachEngine('members get e-mails about visitors who wait', async (t, engine) => {
  let ahead = 0;
  const { service, received, mailTo, prove } = await mailing(t, {
    engine,
    clock: { now: () => Date.now() + ahead },
  });
  const owner = await newOwner(service);
  const { at, visitor, owner: key } = await visitedAgent(service, owner.apiKey);
  const support = await newMember(service, owner, { role: 'support' });
  const away = await newMember(service, owner, { role: 'support' });
  const muted = await newMember(service, owner, { role: 'support' });
  const viewer = await newMember(service, owner, { role: 'viewer' });
  for (const person of [support, away, muted, viewer]) await prove(person);
  const { workspaceId } = owner;
  await away.browser.api(workspaceId, 'PATCH', '/me', { away: true });
  await muted.browser.api(workspaceId, 'PATCH', '/me', { notifications: { handover: false } });
  await body(key.patch(at('/settings/handover'), { enabled: true, hours }));
  const ask = async (question: string) => {
    const { say, api } = await visitor();
    const { conversationId } = (await say(question)).metadata;
    const path = at(`/conversations/${conversationId}/handover`);
    t.equal((await body(api.post<{ state: string }>(path, {}))).state, 'requested', 'accepted by mail');
    return conversationId;
  };

  const first = await ask('Where is my parcel?');
  const mail = await mailTo(support.email, /Where is my parcel/);
  t.match(mail.text, WAITS);
  t.match(mail.text, `${publicUrl}/console#`);
  t.match(mail.text, first);
  t.match(mail.text, `${publicUrl}/mail/stop/`);
  const toSupport = () => received.filter(({ to }) => to.includes(support.email)).length;
  const before = toSupport();
  await ask('When do you open?');
  ahead = 9 * MINUTE;
  await ask('Is there a discount?');
  ahead = 12 * MINUTE;
  const later = await mailTo(support.email, /Is there a discount/);
  for (const question of ['Where is my parcel?', 'When do you open?']) t.match(later.text, question);
  t.equal(toSupport(), before + 1, 'one in ten minutes');
  for (const { email } of [away, muted, viewer])
    t.notOk(received.some(({ to, text }) => to.includes(email) && WAITS.test(text)));
});

await onEachEngine(
  'members get e-mails however many visitors wait, and none quotes an erased one',
  async (t, engine) => {
    let ahead = 0;
    const sent: Letter[] = [];
    let refused: string[] | null = null;
    const service = await startTestService(t, {
      engine,
      clock: { now: () => Date.now() + ahead },
      settings: { ...noCache.settings, http: { publicUrl }, mail: { perMinute: 6000 } },
      mail: {
        verify: async () => {},
        async send(letter) {
          if (!refused) return void sent.push(letter);
          refused.push(letter.text);
          throw new MailFailure('MAIL_UNREACHABLE', 'The server is away.');
        },
      },
    });
    const owner = await newOwner(service);
    const { at, visitor, owner: key } = await visitedAgent(service, owner.apiKey);
    await owner.browser.session('/prove', {});
    const proof = await until('the proof', () => sent.find(({ subject }) => /Confirm/.test(subject)));
    const token = tokenIn(proof, 'prove');
    t.equal((await owner.browser.session('/prove', { token })).status, 200);
    await body(key.patch(at('/settings/handover'), { enabled: true, hours }));
    const ask = async (question: string) => {
      const { say, api, userId } = await visitor();
      const { conversationId } = (await say(question)).metadata;
      await body(api.post(at(`/conversations/${conversationId}/handover`), {}));
      return userId;
    };
    const mails = (n: number) =>
      until(`${n} e-mails`, () => {
        const found = sent.filter(({ subject }) => WAITS.test(subject));
        return found.length >= n && found;
      });

    await ask('Where is my parcel?');
    await mails(1);
    const { handoverMails } = service.store;
    const { waiting } = handoverMails;
    handoverMails.waiting = (agentId) => waiting(agentId, 1);
    ahead = 12 * MINUTE;
    await ask('When do you open?');
    t.notMatch((await mails(2)).at(-1)?.text, 'When do you open?', 'only the longest waits are named');
    handoverMails.waiting = waiting;

    refused = [];
    ahead = 24 * MINUTE;
    const userId = await ask('Secret quokka?');
    await until('an attempt', () => refused?.some((text) => text.includes('Secret quokka?')));
    const erasure = { userId, all: true };
    const { id } = await body(key.post<{ id: string }>('/visitors/erase', erasure));
    await until('the erasure', async () => {
      return (await body(key.get<{ status: string }>(`/erasures/${id}`))).status === 'done';
    });
    refused = null;
    ahead = 40 * MINUTE;
    const last = (await mails(3)).at(-1);
    t.match(last?.text, 'When do you open?', 'composed again for the others');
    t.notMatch(last?.text, 'quokka');
  },
);

await onEachEngine('a visitor who agreed gets the answer by e-mail', async (t, engine) => {
  let ahead = 0;
  const { service, received, mailTo } = await mailing(t, {
    engine,
    clock: { now: () => Date.now() + ahead },
  });
  const owner = await newOwner(service);
  const { at, visitor, owner: key } = await visitedAgent(service, owner.apiKey);
  const fields = [{ name: 'email', required: true }];
  await body(key.patch(at(''), { url: 'https://acme.com/help' }));
  const write = (own: string, text: string) => body(key.post(`${own}/messages`, { text, authorName: 'Ada' }));
  const leave = async (consent: string | null, email: string) => {
    await body(key.patch(at('/settings/handover'), { form: { fields, consent } }));
    const { say, api } = await visitor();
    const own = at(`/conversations/${(await say('My secret question')).metadata.conversationId}`);
    await body(api.post(`${own}/contact`, { email, consent: true }));
    return own;
  };
  await write(await leave(null, 'none@acme.com'), 'Not to be mailed.');
  const own = await leave('You may write to me.', 'visitor@acme.com');
  await write(own, 'Your parcel is in Ulm.');
  const mail = await mailTo('visitor@acme.com', /Your parcel is in Ulm/);
  t.match(mail.text, 'Subject: Ada has answered you');
  t.match(mail.text, 'https://acme.com/help');
  t.notMatch(mail.text, /secret question/, "none of the visitor's words");
  await write(own, 'A second one.');
  ahead = 11 * MINUTE;
  await write(own, 'A third one.');
  await mailTo('visitor@acme.com', /A third one/);
  const stopIn = ({ text }: { text: string }) => /\/mail\/stop\/[\w.-]+/.exec(text)?.[0] ?? '';
  const stop = stopIn(mail);
  const page = await fetch(service.baseUrl + stop);
  t.match(await page.text(), /<html lang="en">.*<button type="submit">Stop these e-mails<.button>/s);
  const done = await fetch(service.baseUrl + stop, { method: 'POST' });
  t.match(await done.text(), '<p>You will no longer get these e-mails.</p>');
  ahead = 22 * MINUTE;
  await write(own, 'After the stop.');
  await write(await leave('You may write to me.', 'other@acme.com'), 'To another address.');
  await mailTo('other@acme.com', /To another address/);
  const texts = received.map(({ text }) => text).join('\n');
  t.notMatch(texts, /A second one|After the stop|Not to be mailed/);

  const allowedDomains = { enabled: true, domains: ['shop.acme.com'] };
  await body(key.patch(at('/settings/security'), { allowedDomains }));
  await body(key.patch(at('/settings/handover'), { form: { fields, consent: 'You may write to me.' } }));
  const shop = 'https://shop.acme.com';
  const { say, token } = await until('the change of the agent', () =>
    visitor({ origin: shop }).catch(() => null),
  );
  const onShop = at(`/conversations/${(await say('Where is it?')).metadata.conversationId}`);
  const inGerman = { headers: { 'accept-language': 'de-AT, en;q=0.5' } };
  await body(service.api(token).post(`${onShop}/contact`, { email: 'de@acme.com', consent: true }, inGerman));
  await write(onShop, 'In the shop.');
  const german = await mailTo('de@acme.com', /In the shop/);
  t.match(german.text, 'Subject: Ada hat Ihnen geantwortet');
  t.match(german.text, `Auf der Website fortfahren: ${shop}\r\n`);
  t.notMatch(german.text, token);
  const germanPage = await (await fetch(service.baseUrl + stopIn(german))).text();
  t.match(germanPage, /<html lang="de">.*<button type="submit">Diese E-Mails abbestellen<.button>/s);
  // The origin is checked when the e-mail is written, and a setting of the agent decides about the language.
  allowedDomains.domains = ['other.acme.com'];
  await body(key.patch(at('/settings/security'), { allowedDomains }));
  await body(key.patch(at('/settings/design'), { language: 'nl' }));
  ahead = 33 * MINUTE;
  await write(onShop, 'Elsewhere.');
  const dutch = await mailTo('de@acme.com', /Elsewhere/);
  t.match(dutch.text, 'Subject: Ada heeft u geantwoord');
  t.match(dutch.text, 'Verder op de website: https://acme.com/help');
  t.notMatch(dutch.text, shop);
});
