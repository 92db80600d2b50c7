import type { Frame } from 'playwright-core';
import { body, type List } from '../../support/api-client.js';
import type { Conversation } from '../../support/chat.js';
import { followEvents } from '../../support/conversation-events.js';
import { bootstrapKey, startServer } from '../../support/server-process.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { axeFindings, browserMissing, openBrowser } from '../console/browser.js';
import { button, inputOf, say, shown } from './conversing.js';
import { openHost, startInstallation } from './open-host.js';

const TALK = 'Talk to a person';
const status = (frame: Frame, text: string | RegExp) => frame.locator('.person').getByText(text);

t.test('a visitor talks to a person', { skip: browserMissing }, async (t) => {
  t.teardown(() => openBrowser().close());
  const installation = await startInstallation(t);
  const { api, server } = installation;
  const path = (agentId: string, id: string) => `/agents/${agentId}/conversations/${id}`;
  const newest = async (agentId: string) =>
    (await body(api.get<List<Conversation>>(`/agents/${agentId}/conversations`))).data[0]?.id ?? '';
  const inbox = () => followEvents(server.baseUrl, '/inbox/events', { token: bootstrapKey });

  // First, because a person counts as available for two minutes after the inbox was open.
  await t.test('the button in the header, the form where nobody comes, the list and a comment', async (t) => {
    const form = { fields: [{ name: 'email', required: true }] };
    const agentId = await installation.agent({ handover: { enabled: true, offer: 'always', form } });
    const host = await openHost(t, installation, agentId, { browser: {} });
    const { frame } = await host.open();
    await button(frame, TALK).click();
    await shown(frame, 'I can ask a person to answer you here.').waitFor();
    await status(frame, 'Nobody is available right now.').waitFor();
    await frame.locator('.person').getByRole('button', { name: 'Leave your contact details' }).waitFor();
    t.same(await axeFindings(frame), [], 'nobody is available');
    const first = await newest(agentId);
    const { data } = await body(api.get<List<{ role: string }>>(`${path(agentId, first)}/messages`));
    t.equal(data.length, 2, 'the label was sent as a message');

    await button(frame, 'New conversation').click();
    await say(frame, 'When does the ferry leave?');
    await button(frame, 'Bad answer').click();
    await frame.getByLabel('What was wrong?').fill('No time at all.');
    await button(frame, 'Send').first().click();
    await frame.getByText('Thank you.').waitFor();
    const second = await newest(agentId);
    const rated = await body(api.get<List<object>>(`${path(agentId, second)}/messages`));
    t.match(rated.data.at(-1), { feedback: 'negative', feedbackComment: 'No time at all.' });
    const times = frame.locator('time');
    t.equal(await times.count(), 2, 'times of both messages');
    const width = async () => (await times.first().boundingBox())?.width ?? 0;
    const short = await width();
    await times.first().focus();
    t.ok((await width()) > short, 'the focus shows the exact time beside the relative one');

    await button(frame, 'Conversations').click();
    const list = frame.getByRole('region', { name: 'Conversations' });
    await list.getByRole('button', { name: /When does the ferry leave/ }).waitFor();
    t.same(await axeFindings(frame), [], 'the list');
    await list.getByRole('button', { name: /^Talk to a person/ }).click();
    await shown(frame, 'I can ask a person to answer you here.').waitFor();
    t.same(host.complaints, []);
  });

  await t.test('the form after a long wait, and a person who comes unasked', async (t) => {
    const form = { fields: [{ name: 'email', required: true }] };
    const agentId = await installation.agent({ handover: { enabled: true, waitSeconds: 30, form } });
    const open = await inbox();
    const host = await openHost(t, installation, agentId, { browser: {} });
    const { frame } = await host.open();
    await say(frame, 'When does the ferry leave?');
    await button(frame, TALK).waitFor();
    await host.page.clock.install();
    await button(frame, TALK).click();
    await status(frame, 'You have asked for a person.').waitFor();
    const leave = frame.locator('.person').getByRole('button', { name: 'Leave your contact details' });
    t.equal(await leave.count(), 0);
    await host.page.clock.runFor(31_000);
    await leave.waitFor();
    await status(frame, 'You have asked for a person.').waitFor();

    await button(frame, 'New conversation').click();
    await say(frame, 'Where is the mill?');
    await button(frame, 'Good answer').waitFor();
    await body(api.post(`${path(agentId, await newest(agentId))}/messages`, { text: 'In Ulm.' }));
    await host.page.clock.runFor(31_000);
    await shown(frame, 'In Ulm.').waitFor();
    t.same(host.complaints, []);
    open.cut();
  });

  const whole = t;
  await t.test('asked below an answer, taken over, over a reload and kill -9', async (t) => {
    const agentId = await installation.agent({ handover: { enabled: true } });
    const open = await inbox();
    const host = await openHost(t, installation, agentId);
    const { frame } = await host.open();
    await say(frame, 'When does the ferry leave?');
    await button(frame, TALK).waitFor();
    t.same(await axeFindings(frame), [], 'offered');
    await button(frame, TALK).click();
    await status(frame, 'You have asked for a person.').waitFor();
    t.same(await axeFindings(frame), [], 'requested');
    const own = path(agentId, await newest(agentId));
    await button(frame, 'Take back').click();
    await status(frame, 'The assistant is answering again.').waitFor();
    await button(frame, TALK).click();
    await button(frame, 'Take back').waitFor();

    await body(api.post(`${own}/messages`, { text: 'Hello **there**', authorName: 'Ada' }));
    await shown(frame, 'Hello **there**').waitFor();
    await status(frame, 'Ada has joined.').waitFor();
    t.equal(await frame.getByText('Ada', { exact: true }).count(), 1, 'the name of the person');
    t.equal(await frame.getByRole('status').getByText('Hello there').count(), 1, 'announced once');
    t.same(await axeFindings(frame), [], 'with a person');
    await api.post(`${own}/typing`);
    await status(frame, 'Ada is typing…').waitFor();

    const events = await followEvents(server.baseUrl, `${own}/events`, { token: bootstrapKey });
    await inputOf(frame).pressSequentially('Is it late');
    await until('the typing of the visitor', () =>
      events.events.some(({ type, from }) => type === 'typing' && from === 'visitor'),
    );
    await inputOf(frame).press('Enter');
    await shown(frame, 'Is it late').waitFor();
    await until('the message', () => events.events.some(({ message }) => message?.role === 'user'));
    events.cut();
    open.cut();

    await button(frame, 'Close chat').first().click();
    await body(api.post(`${own}/messages`, { text: 'At nine.', authorName: 'Ada' }));
    await frame.getByRole('button', { name: 'Open chat. New messages: 1' }).waitFor();
    await host.page.reload();
    const again = await host.frame();
    await again.getByRole('button', { name: 'Open chat. New messages: 1' }).waitFor();
    await server.killAll();
    const restarted = await startServer({
      dataDir: installation.dataDir,
      env: { PORT: new URL(server.baseUrl).port },
    });
    whole.teardown(() => restarted.killAll());
    await body(api.post(`${own}/messages`, { text: 'And at ten.', authorName: 'Ada' }));
    await again.getByRole('button', { name: 'Open chat. New messages: 2' }).click();
    for (const text of ['Is it late', 'At nine.', 'And at ten.']) {
      await shown(again, text).waitFor();
      t.equal(await shown(again, text).count(), 1, `${text} once`);
    }
    await body(api.patch(own, { state: 'closed' }));
    await status(again, 'This conversation was closed.').waitFor();
    t.equal(await again.locator('.badge:visible').count(), 0);
  });
});
