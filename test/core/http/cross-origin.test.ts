import { type ApiClient, body, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const APP = 'https://app.acme.com';

const preflight = (url: string, origin: string, method = 'POST', asked = 'authorization') =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': asked,
    },
  });

const signedUpload = async (api: ApiClient): Promise<string> => {
  const { id } = await api.agent();
  const { files } = await body(
    api.post<{ files: { uploadUrl: string }[] }>(`/agents/${id}/sources/file/upload-url`, {
      files: [{ fileName: 'a.txt' }],
    }),
  );
  return files[0]?.uploadUrl ?? '';
};

t.test(
  'pages of an allowed origin may call the API and upload, and their preflights need no key',
  async (t) => {
    const service = await startTestService(t, { settings: { http: { allowedOrigins: [APP] } } });
    const api = await service.client();
    const uploadUrl = await signedUpload(api);
    for (const [url, method] of [
      [`${service.baseUrl}/api/v2/agents`, 'POST'],
      [`${service.baseUrl}/api/v2/agents/x`, 'PATCH'],
      [uploadUrl, 'PUT'],
    ] as const) {
      const answer = await preflight(url, APP, method);
      t.equal(answer.status, 204, url);
      t.equal(answer.headers.get('access-control-allow-origin'), APP);
      t.ok(answer.headers.get('access-control-allow-methods')?.includes(method));
      t.match(
        answer.headers.get('access-control-allow-headers'),
        /authorization, content-type, idempotency-key/,
      );
      t.equal(answer.headers.get('vary'), 'origin');
      t.ok(answer.headers.get('x-request-id'));
      t.equal(await answer.text(), '');
    }
    const asked = 'authorization,x-stainless-lang,x-stainless-retry-count,x-other';
    const names = async (path: string) => {
      const answer = await preflight(service.baseUrl + path, APP, 'POST', asked);
      return answer.headers.get('access-control-allow-headers') ?? '';
    };
    const completions = await names('/openai/v1/chat/completions');
    t.match(completions, /x-stainless-lang, x-stainless-retry-count$/, 'as clients of the protocol ask');
    t.notMatch(await names('/api/v2/agents'), 'x-stainless');
    const shown = await api.get('/agents', { headers: { origin: APP } });
    t.equal(shown.headers.get('access-control-allow-origin'), APP);
    t.match(shown.headers.get('access-control-expose-headers'), /x-request-id/);
    t.match(
      shown.headers.get('access-control-expose-headers'),
      /x-should-retry/,
      'clients obey it in pages, too',
    );
    const unknown = await service.api(null).get('/agents', { headers: { origin: APP } });
    refused(t, unknown, 401, 'AUTH_MISSING_API_KEY');
    t.equal(unknown.headers.get('access-control-allow-origin'), APP, 'refusals can be read, too');
    const put = await fetch(uploadUrl, {
      method: 'PUT',
      body: 'text',
      headers: { origin: APP, 'content-type': 'text/plain' },
    });
    t.equal(put.status, 201);
    t.equal(put.headers.get('access-control-allow-origin'), APP);
    const metrics = await fetch(`${service.baseUrl}/metrics`, { headers: { origin: APP } });
    t.equal(metrics.headers.get('access-control-allow-origin'), null, 'not what is for operators');
  },
);

t.test('without the setting, and for any other origin, nothing changes', async (t) => {
  const open = await startTestService(t, { settings: { http: { allowedOrigins: [APP] } } });
  const closed = await startTestService(t);
  for (const { baseUrl } of [open, closed]) {
    for (const origin of ['https://evil.example', 'null', 'http://app.acme.com', `${APP}.evil.example`]) {
      const answer = await preflight(`${baseUrl}/api/v2/agents`, origin);
      t.equal(answer.status, 401);
      t.equal(answer.headers.get('access-control-allow-origin'), null, origin);
    }
  }
  const api = await closed.client();
  const answer = await api.get('/agents', { headers: { origin: APP } });
  t.equal(answer.headers.get('access-control-allow-origin'), null);
  t.equal((await preflight(await signedUpload(api), APP, 'PUT')).status, 405);
  refused(
    t,
    await open.api(null).send('OPTIONS', '/agents', undefined, { headers: { origin: APP } }),
    401,
    'AUTH_MISSING_API_KEY',
  );
});
