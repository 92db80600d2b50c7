import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { apiClient, body } from '../../support/api-client.js';
import type { Message } from '../../support/chat.js';
import { bootstrapKey } from '../../support/server-process.js';
import t from '../../support/t.js';
import { visitorOf } from '../../support/visitors.js';
import { browserMissing } from './browser.js';
import { DESKTOP, openConsole, PHONE, signIn } from './open-console.js';

t.test('frequent tasks take few clicks', { skip: browserMissing }, async (t) => {
  const { page, server, dataDir, complaints } = await openConsole(t, {});
  const api = apiClient(server.baseUrl, bootstrapKey);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' });
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const task = (name: string, most: number, work: () => Promise<void>) =>
    t.test(name, async (t) => {
      clicks = 0;
      const start = Date.now();
      await work();
      t.ok(clicks <= most, `${clicks} clicks`);
      t.comment(`${clicks} clicks, ${((Date.now() - start) / 1000).toFixed(1)} s`);
    });
  await page.goto(`${server.baseUrl}/console`);
  await signIn(page);

  let agentId = '';
  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(viewport);
    await page.goto(`${server.baseUrl}/console#/agents`);
    await task(`an agent from three files on a ${size}`, 5, async () => {
      await click(button('New agent'));
      await page.getByRole('dialog').getByLabel('Name').fill('Harbour Bicycles');
      await click(button('Create agent'));
      const files = ['hours', 'prices', 'ferry'].map((name) => join(dataDir, `${name}.txt`));
      for (const file of files)
        writeFileSync(file, `The ${file.slice(dataDir.length + 1)} of the harbour.\n`);
      const chooser = page.waitForEvent('filechooser');
      await click(button('choose files'));
      await (await chooser).setFiles(files);
      for (const name of ['hours.txt', 'prices.txt', 'ferry.txt']) await link(name).waitFor();
      await click(link('Ask'));
      await page.getByLabel('Your question').waitFor();
      agentId = /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? '';
    });

    await task(`finding a bad rating and correcting the answer on a ${size}`, 5, async () => {
      const path = `/agents/${agentId}`;
      const { token } = await visitorOf(server, agentId);
      const visitor = apiClient(server.baseUrl, token);
      const message = 'Do you rent helmets?';
      const { id, metadata } = await body(visitor.post<Message>(`${path}/chat`, { message, stream: false }));
      const rated = `${path}/conversations/${metadata.conversationId}/messages/${id}/feedback`;
      await visitor.patch(rated, { feedback: 'negative' });
      await click(link('Home'));
      await click(link(/Badly rated answers/));
      await click(page.getByRole('button', { name: 'Answer' }).first());
      await page.getByRole('dialog').getByRole('textbox').first().fill('Yes, in all sizes.');
      await click(button('Save and ask again'));
      await page.getByText('Asked again, the agent answers:').waitFor();
      await click(button('Done'));
    });

    await task(`inviting a colleague on a ${size}`, size === 'phone' ? 4 : 3, async () => {
      if (size === 'phone') await click(button('Menu'));
      await click(link('Members'));
      await click(button('Invite a person'));
      await page.getByLabel('E-mail').fill(`grace@${size}.example`);
      await click(button('Invite'));
      await page.getByLabel('Link', { exact: true }).waitFor();
      // The invitation exists, and its link is shown.
      await button('Done').click();
    });
  }

  await task('taking over a conversation on a phone', 5, async () => {
    const path = `/agents/${agentId}`;
    await api.patch(`${path}/settings/handover`, { enabled: true });
    const { token } = await visitorOf(server, agentId);
    const visitor = apiClient(server.baseUrl, token);
    const message = 'Where is my bicycle?';
    const { metadata } = await body(visitor.post<Message>(`${path}/chat`, { message, stream: false }));
    await page.setViewportSize(PHONE);
    await page.goto(`${server.baseUrl}/console#${path}/conversations`);
    await click(link(message));
    await click(link('Answer in the inbox'));
    await click(button('Take over'));
    await page.getByLabel('Your message').fill('It is at the gate.');
    await click(button('Send'));
    await page.getByRole('listitem').getByText('It is at the gate.').waitFor();
    const conversation = await body(
      api.get<{ state: string }>(`${path}/conversations/${metadata.conversationId}`),
    );
    t.equal(conversation.state, 'human');
  });

  t.same(complaints, []);
});
