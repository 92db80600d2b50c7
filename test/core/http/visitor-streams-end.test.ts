import { body } from '../../support/api-client.js';
import { type Following, followEvents } from '../../support/conversation-events.js';
import { onEachEngine } from '../../support/service.js';
import { until } from '../../support/until.js';
import { visited } from '../../support/visited-agent.js';
import { HOST } from '../../support/visitors.js';

const TTL_S = 1;

await onEachEngine('streams and long polls end with what let them in', async (t, engine) => {
  const settings = { auth: { cacheTtlSeconds: TTL_S } };
  const { service, apiKey, at, visitor } = await visited(t, { engine, settings });
  // Changes are made through another process.
  const owner = (await service.beside()).api(apiKey);
  const allowedDomains = { enabled: true, domains: [HOST] };
  await body(owner.patch(at('/settings/security'), { allowedDomains }));
  await body(owner.patch(at('/settings/share'), { enabled: true }));

  /** A visitor of a page, and the stream of a conversation that a person answers. */
  async function follow(
    origin: string,
  ): Promise<Following & { own: string; token: string; ended: () => boolean }> {
    const { say, token } = await until('the change of the agent', () =>
      visitor({ origin }).catch(() => null),
    );
    const { conversationId } = (await say('How do I reset the device?')).metadata;
    const own = at(`/conversations/${conversationId}`);
    await body(owner.patch(own, { state: 'human' }));
    const stream = await followEvents(service.baseUrl, `${own}/events`, { token });
    await until('the first event', () => stream.events.length > 0);
    let isOver = false;
    void stream.over.then(() => {
      isOver = true;
    });
    return { ...stream, own, token, ended: () => isOver };
  }
  const onSharePage = await follow(service.baseUrl);
  const embedded = await follow(HOST);
  t.notOk(onSharePage.ended());
  const poll = async (who: string, token: string): Promise<string> => {
    await service.api(token).get(`${embedded.own}/events?wait=25`);
    return who;
  };
  const { id, secret } = await body(
    owner.post<{ id: string; secret: string }>('/keys', { name: 'reader', scope: 'read' }),
  );
  // Without an early end, the long poll of the owner ends first.
  const pollOfOwner = poll('owner', apiKey);
  const [pollOfVisitor, pollOfKey] = [poll('visitor', embedded.token), poll('key', secret)];

  await body(owner.patch(at('/settings/share'), { enabled: false }));
  await until('the end of the stream on the shared page', onSharePage.ended);
  t.notOk(embedded.ended(), 'the allowed domain still lets the other one in');

  await body(owner.patch(at('/settings/security'), { isPrivate: true }));
  await until('the end of the other stream', embedded.ended);
  t.equal(await Promise.race([pollOfOwner, pollOfVisitor]), 'visitor');
  await body(owner.delete(`/keys/${id}`));
  t.equal(await Promise.race([pollOfOwner, pollOfKey]), 'key');
  await body(owner.post(`${embedded.own}/messages`, { text: 'Still here.' }));
  await pollOfOwner;
});
