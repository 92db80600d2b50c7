import type { Frame } from 'playwright-core';
import type { List } from '../../support/api-client.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { axeFindings, browserMissing, openBrowser } from '../console/browser.js';
import { button, say, shown } from './conversing.js';
import { openHost, startInstallation } from './open-host.js';

const CONSENT = 'You may write to me.';
const form = {
  fields: [
    { name: 'email', required: true },
    { name: 'message', required: false },
  ],
  intro: 'We answer within a day.',
  consent: CONSENT,
};
const OFFER = 'Leave your contact details';

t.test('the contact form', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const installation = await startInstallation(t);
  const { api } = installation;
  const contactsOf = async (agentId: string) =>
    (await api.get<List<object>>(`/agents/${agentId}/contacts`)).body.data;
  const offer = (frame: Frame) => button(frame, OFFER);

  await t.test('a visitor leaves contact details below an answer without sources', async (t) => {
    const agentId = await installation.agent({
      handover: { enabled: true, form: { ...form, thanks: 'We will write soon.' } },
    });
    await api.post(`/agents/${agentId}/sources/text`, { title: 'A', content: 'The shop is in Ulm.' });
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    await say(frame, 'Where is the shop?');
    await shown(frame, 'The shop is in Ulm').waitFor();
    await button(frame, 'Good answer').waitFor();
    t.equal(await offer(frame).count(), 0, 'not below an answer from the sources');

    await say(frame, 'When does the ferry leave?');
    await offer(frame).waitFor();
    t.equal(await offer(frame).count(), 1);
    t.same(await axeFindings(frame), [], 'offered');
    await offer(frame).focus();
    await host.page.keyboard.press('Enter');
    const region = frame.getByRole('form', { name: OFFER });
    await region.getByText('We answer within a day.').waitFor();
    await until('the focus', async () => (await frame.evaluate('document.activeElement.name')) === 'email');
    t.same(await axeFindings(frame), [], 'open');

    await region.getByRole('button', { name: 'Send' }).click();
    t.ok(await frame.evaluate('document.querySelector("[name=email]").validity.valueMissing'));
    await region.getByLabel('E-mail').fill('ada@acme.com');
    await region.getByLabel('Message').fill('Please call.\nToday.');
    t.same(await contactsOf(agentId), [], 'nothing is sent without consent');
    await region.getByLabel(CONSENT).check();
    await region.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('We will write soon.').waitFor();
    t.same(await axeFindings(frame), [], 'sent');
    t.match(await contactsOf(agentId), [
      { email: 'ada@acme.com', message: 'Please call.\nToday.', name: null, consent: CONSENT },
    ]);
    t.same(host.complaints, []);

    // After a reload, the answer still offers the form.
    await host.page.reload();
    const again = await host.open();
    await offer(again.frame).waitFor();
  });

  await t.test('it is not offered without a form, and in the language of the visitor', async (t) => {
    const none = await installation.agent({ handover: { enabled: true } });
    const bare = await openHost(t, installation, none);
    const opened = await bare.open();
    await say(opened.frame, 'When does the ferry leave?');
    await button(opened.frame, 'Good answer').waitFor();
    t.equal(await offer(opened.frame).count(), 0);

    const arabic = await installation.agent({
      handover: { enabled: true, form },
      design: { language: 'ar' },
    });
    const host = await openHost(t, installation, arabic);
    const { frame } = await host.open();
    await frame.getByRole('textbox').fill('?????');
    await frame.getByRole('textbox').press('Enter');
    await button(frame, 'اترك بيانات الاتصال').click();
    await frame.getByLabel('البريد الإلكتروني').waitFor();
    t.same(await axeFindings(frame), [], 'right to left');
  });
});
