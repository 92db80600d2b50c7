import { catalogue, type ErrorCode, type ResponseErrorCode } from '../../../core/errors/catalogue.js';
import type { Answer, ErrorBody } from '../../support/api-client.js';
import { body } from '../../support/api-client.js';
import { chatWith } from '../../support/chat.js';
import { says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { startSocialService } from '../../support/social.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/* Each error code of the specification, with a request that causes it. */

const NOBODY = '01890000-0000-7000-8000-000000000000';

t.test('every code has a request that causes it, or is reserved', async (t) => {
  const answerer = scriptedAnswerer(says('An answer.'));
  let offsetMs = 0;
  const clock = { now: () => Date.now() + offsetMs };
  const { platform, service, api, agent } = await startSocialService(t, 'sqlite', { answerer, clock });
  const { at, say, ask } = await chatWith(api);
  const first = await say('A question');
  const { conversationId, userMessageId } = first.metadata;
  const feedback = (messageId: string) =>
    api.patch(at(`/conversations/${conversationId}/messages/${messageId}/feedback`), {
      feedback: 'positive',
    });
  const withPlan = (plan: string, set = {}) => service.client({ plan, set });
  const starter = await withPlan('starter');
  const { id: ofStarter } = await starter.agent();
  const now = () => Math.floor(clock.now() / 1000);
  const keyOf = async (more: object) =>
    service.api((await body(api.post<{ secret: string }>('/keys', { name: 'Key', ...more }))).secret);
  const reader = await keyOf({ scope: 'read' });
  const expiring = await keyOf({ scope: 'full', expiresAt: now() + 600 });
  const social = await agent('100');
  const none = await agent('101', { isConnected: false });
  platform.account('102', { scopes: ['business_manage_messages'] });
  const withoutComments = await agent('103', { isConnected: false });
  await api.post(withoutComments.at(), { accessToken: 'token-of-102' });
  const automation = (target: object) =>
    api.post(social.at('/automations'), {
      type: 'comment_to_dm',
      name: 'x',
      message: 'x',
      status: 'live',
      ...target,
    });
  const specific = { postScope: 'specific', postId: '1' };
  await automation(specific);
  await automation({ postScope: 'any' });
  const menu = (items: object[]) => api.patch(social.at('/persistent-menu'), { items });

  const triggers: Record<ResponseErrorCode, () => Promise<Answer<unknown>>> = {
    VALIDATION_INVALID_BODY: () => api.post('/agents', {}),
    VALIDATION_INVALID_JSON: () =>
      api.post(at('/chat'), undefined, { raw: '{', headers: { 'content-type': 'application/json' } }),
    AUTH_MISSING_API_KEY: () => service.api(null).get('/agents'),
    AUTH_INVALID_API_KEY: () => service.api('unknown').get('/agents'),
    AUTH_EXPIRED_API_KEY() {
      offsetMs += 3_600_000;
      return expiring.get('/agents');
    },
    AUTH_INSUFFICIENT_PERMISSIONS: () => reader.post('/agents', { name: 'x' }),
    SUBSCRIPTION_PLAN_REQUIRED: async () => (await withPlan('free')).get('/agents'),
    SUBSCRIPTION_API_RESTRICTED_PLAN: () =>
      starter.patch(`/agents/${ofStarter}/settings/training`, { autoRetrainEnabled: true }),
    AGENT_NOT_FOUND: () => api.get(`/agents/${NOBODY}`),
    RESOURCE_NOT_FOUND: () => api.get(at('/jobs/99999')),
    RESOURCE_DOCUMENT_NOT_FOUND: () => api.get(at(`/sources/${NOBODY}/content`)),
    RESOURCE_MESSAGE_NOT_FOUND: () => feedback('99999'),
    RESOURCE_MESSAGE_NOT_ASSISTANT: () => feedback(userMessageId ?? ''),
    RESOURCE_TOOL_CALL_NOT_FOUND: () =>
      api.post(at(`/conversations/${conversationId}/tool-result`), { toolCallId: 'none', output: 1 }),
    QUOTA_CHATBOT_LIMIT: async () =>
      (await withPlan('business', { 'limits.agents': 0 })).post('/agents', { name: 'x' }),
    async QUOTA_STORAGE_LIMIT() {
      const full = await withPlan('business', { 'limits.storageBytes': 0 });
      const { id } = await full.agent();
      return full.post(`/agents/${id}/sources/text`, { title: 'x', content: 'x' });
    },
    CHAT_MODEL_NOT_ALLOWED: () =>
      starter.patch(`/agents/${ofStarter}/settings/ai`, { model: 'vendorB/familyB-sonnet-5' }),
    CHAT_CONVERSATION_MISMATCH: () => ask({ message: 'x', conversationId: NOBODY }),
    CHAT_RETRY_MESSAGE_NOT_FOUND: () =>
      api.post(at(`/conversations/${conversationId}/retry`), { messageId: '0' }),
    async CHAT_RETRY_NO_USER_MESSAGE() {
      await api.patch(at('/settings/design'), { initialMessages: ['Hello!'] });
      const { metadata } = await say('Another question');
      const path = at(`/conversations/${metadata.conversationId}`);
      const { messages } = await body(api.get<{ messages: { id: string }[] }>(path));
      return api.post(`${path}/retry`, { messageId: messages[0]?.id });
    },
    SOCIAL_NOT_CONNECTED: () => api.get(none.at('/automations')),
    SOCIAL_RECONNECT_REQUIRED: () =>
      api.post(withoutComments.at('/automations'), {
        type: 'comment_to_dm',
        name: 'x',
        message: 'x',
        status: 'live',
        postScope: 'any',
      }),
    SOCIAL_AUTOMATION_TARGET_TAKEN: () => automation(specific),
    SOCIAL_AUTOMATION_CATCH_ALL_EXISTS: () => automation({ postScope: 'any' }),
    async SOCIAL_SYNC_IN_PROGRESS() {
      platform.fail(/messenger_profile/, { does: 'hang', after: true });
      const { length } = platform.calls;
      const running = menu([{ title: 'x', message: 'x' }]);
      await until('the call', () => platform.calls.length > length);
      const answer = await menu([]);
      platform.dropHanging();
      await running;
      return answer;
    },
    SOCIAL_SYNC_FAILED() {
      platform.fail(/messenger_profile/, { does: 'refuse', code: 100 });
      return menu([]);
    },
    async INTERNAL_SERVER_ERROR() {
      answerer.play(async function* () {
        yield* [];
        throw new Error('the model of a test fails');
      });
      return ask({ message: 'x' });
    },
  };

  for (const code of Object.keys(catalogue) as ErrorCode[]) {
    const { status } = catalogue[code];
    if (status === null) {
      t.notOk(Object.hasOwn(triggers, code), `${code} is reserved`);
      continue;
    }
    const answer = await triggers[code as ResponseErrorCode]();
    t.strictSame([answer.status, (answer.body as ErrorBody).error?.code], [status, code], answer.text);
  }
  t.equal(Object.keys(catalogue).length, 30);
  t.equal(Object.keys(triggers).length, 27);
});
