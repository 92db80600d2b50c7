import t from 'tap';
import { invalid, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';

const twoProcesses = async (cacheTtlSeconds: number) => {
  const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds } } });
  const beside = await service.beside();
  const { apiKey } = await service.workspace();
  return [service.api(apiKey), beside.api(apiKey)] as const;
};

const malformed = { raw: '{', headers: { 'content-type': 'application/json' } };
const texts = { title: 'A title', content: 'A text.' };

t.test(
  'a change finds that another process has deleted its agent, however lately it was there',
  async (t) => {
    const [here, there] = await twoProcesses(5);
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'renamed' }],
      ['PATCH', '/settings/ai', { instructionsPrompt: 'x' }],
      ['POST', '/sources/text', texts],
      ['POST', '/sources/qna', { title: 'x', questions: ['x'], answer: 'x' }],
      ['POST', '/sources/url', { url: 'https://example.com' }],
    ] as const) {
      const { id } = await here.agent();
      t.match(await here.patch(`/agents/${id}`, { name: 'known' }), { status: 200 });
      await there.delete(`/agents/${id}`);
      refused(t, await here.send(method, `/agents/${id}${path}`, body), 404, 'AGENT_NOT_FOUND');
      refused(
        t,
        await here.send(method, `/agents/${id}${path}`, undefined, malformed),
        404,
        'AGENT_NOT_FOUND',
      );
    }
  },
);

t.test(
  'what is known of an agent counts for its own workspace, and until this process has deleted it',
  async (t) => {
    const service = await startTestService(t);
    const [mine, theirs] = [await service.client(), await service.client()];
    const { id } = await mine.agent();
    await mine.patch(`/agents/${id}`, { name: 'known' });
    invalid(t, await mine.patch(`/agents/${id}`, { name: '' }), 'name');
    refused(t, await theirs.send('PATCH', `/agents/${id}`, undefined, malformed), 404, 'AGENT_NOT_FOUND');
    refused(t, await theirs.post(`/agents/${id}/sources/text`, texts), 404, 'AGENT_NOT_FOUND');
    await mine.delete(`/agents/${id}`);
    refused(t, await mine.send('PATCH', `/agents/${id}`, undefined, malformed), 404, 'AGENT_NOT_FOUND');
  },
);

t.test(
  'that it is gone comes before a faulty body again within the cache time, and without a cache at once',
  async (t) => {
    for (const seconds of [0, 1]) {
      const [here, there] = await twoProcesses(seconds);
      const { id } = await here.agent();
      await here.patch(`/agents/${id}`, { name: 'known' });
      await there.delete(`/agents/${id}`);
      const sent = () => here.send('PATCH', `/agents/${id}`, undefined, malformed);
      const answer =
        seconds === 0
          ? await sent()
          : await until('the deletion', async () => {
              const answer = await sent();
              return answer.status === 404 && answer;
            });
      refused(t, answer, 404, 'AGENT_NOT_FOUND');
    }
  },
);
