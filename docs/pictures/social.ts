import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { apiClient } from '../../test/support/api-client.js';
import type { FakePlatform } from '../../test/support/fake-platform.js';
import { bootstrapKey, type ServerProcess } from '../../test/support/server-process.js';

/*
 * Takes the picture of docs/social.md: the menu of an account, on a fake platform.
 */

const ACCOUNT = '17841400';

const menu = [
  { title: 'Opening hours', message: 'When are you open?' },
  { title: 'Hire prices', message: 'What does a bicycle cost a day?' },
  { title: 'Book a bicycle', url: 'https://harbour-bicycles.example/hire' },
];

/** The page is signed in. */
export async function takeSocial(page: Page, server: ServerProcess, platform: FakePlatform): Promise<void> {
  const api = apiClient(server.baseUrl, bootstrapKey);
  const { id } = await api.agent('Harbour Bicycles');
  const { token } = platform.account(ACCOUNT, { username: 'harbourbicycles' });
  const path = `/agents/${id}/channels/social`;
  await api.post(path, { accessToken: token });
  await api.patch(`${path}/persistent-menu`, { items: menu });
  await page.goto(`${server.baseUrl}/console#/agents/${id}/social/menu`);
  await page.getByText('The platform confirmed it').waitFor();
  const picture = fileURLToPath(new URL('console-social.png', import.meta.url));
  await page.screenshot({ path: picture });
}
