import type { Test } from 'tap';
import { graphChannel } from '../../adapters/graph-channel/index.js';
import { contextOf } from '../contracts/plugin-context.js';
import { type ApiClient, body } from './api-client.js';
import { type FakePlatform, startFakePlatform } from './fake-platform.js';
import { type Engine, startTestService, type TestService, type TestServiceOptions } from './service.js';

/** A service with a fake platform. */
export interface SocialService {
  platform: FakePlatform;
  service: TestService;
  api: ApiClient;
  apiKey: string;
  /** Creates an agent with an account, connected unless told otherwise. Returns paths of its channel. */
  agent(accountId: string, options?: { isConnected?: boolean }): Promise<SocialAgent>;
  /** Another process on the same database. */
  beside(changes?: TestServiceOptions): Promise<TestService>;
}

export interface SocialAgent {
  id: string;
  accountId: string;
  token: string;
  at(path?: string): string;
}

export async function startSocialService(
  t: Test,
  engine: Engine,
  options: TestServiceOptions = {},
): Promise<SocialService> {
  const platform = await startFakePlatform();
  t.teardown(() => platform.close());
  const plugin = async () => {
    const { port, stop } = await graphChannel.start({
      ...contextOf(platform.options),
      now: () => platform.now(),
    });
    t.teardown(() => stop({ deadlineMs: 1000 }));
    return port;
  };
  const service = await startTestService(t, { engine, ...options, channel: await plugin() });
  platform.hooks = [`${service.baseUrl}/hooks/social`];
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  return {
    platform,
    service,
    api,
    apiKey,
    async agent(accountId, { isConnected = true } = {}) {
      const { id } = await api.agent();
      const { token } = platform.account(accountId);
      const at = (path = '') => `/agents/${id}/channels/social${path}`;
      if (isConnected) await body(api.post(at(), { accessToken: token }));
      return { id, accountId, token, at };
    },
    beside: async (changes = {}) => service.beside({ ...changes, channel: await plugin() }),
  };
}
