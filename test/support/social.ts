import type { Test } from 'tap';
import { graphChannel } from '../../adapters/graph-channel/index.js';
import { contextOf } from '../contracts/plugin-context.js';
import { type ApiClient, body } from './api-client.js';
import { type FakePlatform, startFakePlatform } from './fake-platform.js';
import { type Engine, startTestService, type TestService, type TestServiceOptions } from './service.js';
import { until } from './until.js';

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

export interface Delivery {
  id: string;
  conversationId: string | null;
  kind: string;
  status: string;
  attempts: number;
  error: { code: string } | null;
}

export interface Exported {
  id: string;
  userId: string;
  source: string;
  messages: { role: string; parts: { text: string }[] }[];
}

/** Queries about the conversations and deliveries of an agent. */
export function peopleOf({ api, platform }: Pick<SocialService, 'api' | 'platform'>) {
  /** Newest first. */
  const deliveries = async ({ at }: SocialAgent): Promise<Delivery[]> =>
    (await api.get<{ data: Delivery[] }>(at('/deliveries?limit=100'))).body.data;
  const exported = async ({ id }: SocialAgent, person: string): Promise<Exported[]> => {
    const { body } = await api.get<{ data: Exported[] }>(`/agents/${id}/conversations/export?source=social`);
    return body.data.filter(({ userId }) => userId === person);
  };
  return {
    deliveries,
    exported,
    /** The conversation, one line for each message. */
    async said(one: SocialAgent, person: string): Promise<string[]> {
      const [conversation] = await exported(one, person);
      return (conversation?.messages ?? []).map(({ role, parts }) => `${role}: ${parts[0]?.text}`);
    },
    /** Waits until the person has received this many messages. */
    receives: ({ accountId }: SocialAgent, person: string, count: number) =>
      until(`message ${count} to ${person}`, () => platform.received(accountId, person).length >= count),
    /** Waits for the newest delivery to have this status. */
    ends: (one: SocialAgent, status: string) =>
      until(`a delivery that is ${status}`, async () => {
        const [newest] = await deliveries(one);
        return newest?.status === status && newest;
      }),
  };
}

export async function startSocialService(
  t: Test,
  engine: Engine,
  options: TestServiceOptions = {},
): Promise<SocialService> {
  const platform = await startFakePlatform();
  if (options.clock) platform.now = options.clock.now;
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
