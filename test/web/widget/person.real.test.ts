import { execFileSync } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Frame, Locator } from 'playwright-core';
import type { Test } from 'tap';
import { freshDatabase } from '../../real/services.js';
import { apiClient, body, type List } from '../../support/api-client.js';
import type { Conversation } from '../../support/chat.js';
import { followEvents } from '../../support/conversation-events.js';
import { nodeArguments } from '../../support/entry.js';
import { mysqlMissing } from '../../support/mysql.js';
import { projectFolder } from '../../support/project-folder.js';
import { bootstrapKey, startServer } from '../../support/server-process.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/until.js';
import { axeFindings, browserMissing, openBrowser } from '../console/browser.js';
import { button, inputOf, say, shown } from './conversing.js';
import { openHost, startInstallation } from './open-host.js';

const TALK = 'Talk to a person';
const status = (frame: Frame, text: string | RegExp) => frame.locator('.person').getByText(text);

if (!browserMissing) t.teardown(() => openBrowser().close());

t.test('a visitor talks to a person', { skip: browserMissing }, async (t) => {
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

/** A proxy before a process of the service that can be changed. */
async function openSwitch(t: Test, target: string) {
  let port = Number(new URL(target).port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    server.close();
    cut();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    /** Ends all connections; new ones reach this process. */
    change(other: string) {
      port = Number(new URL(other).port);
      cut();
    },
  };
}

/** Waits until the list shows the texts, and checks that it shows each once, in this order. */
async function shows(t: Test, list: Locator, texts: string[], when: string): Promise<void> {
  await list
    .getByText(texts.at(-1) ?? '')
    .first()
    .waitFor();
  const all = await list.innerText();
  t.strictSame(
    [...all.matchAll(/message \d+ by \w+/g)].map(([text]) => text),
    texts,
    when,
  );
}

t.test(
  'a visitor and a person in two browsers read each message once, in order, over processes',
  { skip: browserMissing || (await mysqlMissing()) },
  async (t) => {
    const { url } = await freshDatabase(t);
    const env = { DATABASE_URL: url };
    const start = async () => {
      const dataDir = tempFolder(t);
      const server = await startServer({ dataDir, env });
      t.teardown(() => server.killAll());
      return { ...server, dataDir };
    };
    const [one, two] = [await start(), await start()];
    const api = apiClient(one.baseUrl, bootstrapKey);
    const { id: agentId } = await api.agent('Harbour Bicycles');
    await api.patch(`/agents/${agentId}/settings/handover`, { enabled: true });
    const cadre = <T>(...args: string[]): T =>
      JSON.parse(
        execFileSync(process.execPath, [...nodeArguments('cli/main'), ...args, '--json'], {
          cwd: projectFolder,
          env: { PATH: process.env.PATH, DATA_DIR: one.dataDir, ...env },
          encoding: 'utf8',
        }),
      );
    const [{ workspaceId } = { workspaceId: '' }] = cadre<{ workspaceId: string }[]>('workspace', 'list');
    const email = 'ada@acme.example';
    const member = ['--workspace', workspaceId, '--email', email, '--role', 'support', '--name', 'Ada'];
    cadre('user', 'add', ...member);
    const reset = cadre<{ url: string }>('user', 'reset-link', '--email', email);

    const context = await openBrowser().newContext();
    t.teardown(() => context.close());
    const ada = await context.newPage();
    ada.setDefaultTimeout(180_000);
    const toConsole = await openSwitch(t, one.baseUrl);
    await ada.goto(toConsole.baseUrl + reset.url.replace(/^.*(?=\/console)/, ''));
    await ada.getByLabel('Password').fill('a long enough phrase');
    await ada.keyboard.press('Enter');
    await ada.getByRole('link', { name: 'Inbox' }).click();
    await ada.getByText('Nobody waits.').waitFor();

    const toWidget = await openSwitch(t, two.baseUrl);
    const host = await openHost(t, { server: { ...two, baseUrl: toWidget.baseUrl } }, agentId, {
      browser: {},
    });
    const { frame } = await host.open();
    await say(frame, 'message 0 by visitor');
    await button(frame, TALK).click();
    await status(frame, 'You have asked for a person.').waitFor();
    await ada.getByRole('link', { name: 'message 0 by visitor' }).click();
    await ada.getByRole('button', { name: 'Take over', exact: true }).click();
    await ada.getByText('You have this conversation.').waitFor();

    const said = ['message 0 by visitor'];
    const atAda = ada.getByRole('list', { name: 'Messages' });
    const exchange = async (when: string): Promise<void> => {
      const byVisitor = `message ${said.length} by visitor`;
      const shownFrame = await host.frame();
      await say(shownFrame, byVisitor);
      said.push(byVisitor);
      await shows(t, atAda, said, `the person, ${when}`);
      const byPerson = `message ${said.length} by person`;
      await ada.getByLabel('Your message').fill(byPerson);
      await ada.keyboard.press('Control+Enter');
      said.push(byPerson);
      await shows(t, shownFrame.getByRole('log'), said, `the visitor, ${when}`);
      await shows(t, atAda, said, `the person, ${when}`);
    };
    await exchange('over two processes');
    toWidget.cut();
    await exchange('after the visitor was disconnected');
    toConsole.cut();
    await exchange('after the person was disconnected');
    toWidget.change(one.baseUrl);
    toConsole.change(two.baseUrl);
    await exchange('after both have changed processes');
    await one.killAll();
    toWidget.change(two.baseUrl);
    await exchange('after kill -9 of a process');
    await host.page.reload();
    await host.open();
    await exchange('after a reload by the visitor');
    await ada.reload();
    await exchange('after a reload by the person');
  },
);
