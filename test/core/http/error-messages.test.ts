import type { Answer, ErrorBody } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

/* What a developer reads when a request is refused: the cause, and what to do about it. */

const errorOf = ({ body }: Answer<unknown>) => (body as ErrorBody).error;
const problemsOf = (answer: Answer<unknown>, field: string) =>
  errorOf(answer).details?.fieldErrors?.[field]?.join('\n') ?? '';

interface OpenApi {
  components: { schemas: Record<string, { properties: Record<string, { description: string }> }> };
}

const service = await startTestService(t);

t.test('a refused video names the feature that the plan lacks', async (t) => {
  const api = await service.client({ plan: 'starter' });
  const { id } = await api.agent();
  const answer = await api.post(`/agents/${id}/sources/url`, { url: 'https://example.com/talk.mp4' });
  t.match(errorOf(answer).message, /is a video.*video transcription.*operator/);
});

t.test('a source that does not fit is not told that all storage is used', async (t) => {
  const api = await service.client({ set: { 'limits.storageBytes': 100 } });
  const { id } = await api.agent();
  const answer = await api.post(`/agents/${id}/sources/text`, { title: 't', content: 'x'.repeat(101) });
  t.match(errorOf(answer).message, /does not fit.*Delete sources/);
});

t.test('a body that cannot be read says how to send it', async (t) => {
  const api = await service.client();
  const headers = { 'content-type': 'application/json' };
  const messageOf = async (raw: string | Uint8Array<ArrayBuffer>) =>
    errorOf(await api.post('/agents', undefined, { raw, headers })).message;
  t.match(await messageOf(''), /empty\. Send a JSON object/);
  t.match(await messageOf('{'), /not valid JSON\. Send one JSON object/);
  t.match(await messageOf(Buffer.from('{"name":"ä"}', 'latin1')), /not valid UTF-8\. Encode it/);
  t.match(await messageOf('\u{FEFF}{}'), /byte order mark\. Send it without/);
  t.match(await messageOf('{"name":"\\u0000"}'), /U\+0000 or a lone surrogate\. Remove/);
  t.match(await messageOf(`{"x":[${'1,'.repeat(10_000)}1]}`), /10000 JSON values\. Send fewer/);
  t.match(await messageOf(`{"x":"${'x'.repeat(2 ** 21)}"}`), /2097152 bytes\. Send a smaller/);
});

t.test('an unknown locale is answered with those that exist, which OpenAPI lists, too', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const locales = /\bde, .*\bpt, .*\bzh-tw\b/;
  const answer = await api.patch(`/agents/${id}/settings/design`, { language: 'xx' });
  t.match(problemsOf(answer, 'language'), locales);
  const openapi = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as OpenApi;
  t.match(openapi.components.schemas.PatchDesignSettings?.properties.language?.description, locales);
});

t.test('the message names each invalid field with its problem, not only the details', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const messageOf = async (answer: Promise<Answer<unknown>>) => errorOf(await answer).message;
  t.equal(await messageOf(api.post('/agents', { name: 5, url: '' })), 'name must be string');
  t.match(
    await messageOf(api.post(`/agents/${id}/sources/text`, { content: ' ' })),
    'title is required; content must contain a non-whitespace character',
  );
  t.equal(
    await messageOf(api.patch(`/agents/${id}/settings/security`, { allowedDomains: { enabled: false } })),
    'allowedDomains.domains is required',
    'a path is not preceded by its field',
  );
});

t.test('an expiry in milliseconds is told the unit', async (t) => {
  const api = await service.client();
  const answer = await api.post('/keys', { name: 'n', scope: 'read', expiresAt: Date.now() });
  t.match(problemsOf(answer, 'expiresAt'), /10 years ahead, in Unix seconds/);
});

t.test('an id that is no UUID is named as such', async (t) => {
  const api = await service.client();
  const answer = await api.post('/keys', { name: 'n', scope: 'read', agentIds: ['x'] });
  t.equal(problemsOf(answer, 'agentIds'), 'agentIds[0] must be a UUID');
});

t.test('a file that cannot be registered says how to go on', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const path = `/agents/${id}/sources/file`;
  const [file] = (
    await api.post<{ files: { storagePath: string }[] }>(`${path}/upload-url`, {
      files: [{ fileName: 'a.txt' }],
    })
  ).body.files;
  const register = async (storagePath = '') =>
    problemsOf(await api.post(path, { files: [{ storagePath, fileName: 'a.txt' }] }), 'files');
  t.match(await register(file?.storagePath), /nothing was uploaded; PUT its bytes to the uploadUrl/);
  t.match(await register(`${file?.storagePath}x`), /was not issued for this agent, or was removed; ask for/);
});

t.test('retraining without URLs says what is missing', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const { body } = await api.post<{ message: string }>(`/agents/${id}/train`);
  t.match(body.message, /no indexed page to retrain\. Add one/);
});
