import { body, type List, type Source } from '../../support/api-client.js';
import { registration, uploadFiles } from '../../support/files.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

t.test('a file is read by a worker, listed, charged and deleted', async (t) => {
  const { api: clientOf, workspace, store } = await startTestService(t, { worker: {} });
  const { id: workspaceId, apiKey } = await workspace();
  const bytesUsed = async () => (await store.workspaces.find(workspaceId))?.storageBytes;
  const api = clientOf(apiKey);
  const { id } = await api.agent();
  const entries = await uploadFiles(api, id, { 'a.txt': 'Hello from a file.' });
  const { jobId } = await body(
    api.post<{ jobId: number }>(`/agents/${id}/sources/file`, registration(entries)),
  );
  const job = () => body(api.get<{ status: string }>(`/agents/${id}/jobs/${jobId}`));
  await until('the job', async () => (await job()).status === 'completed');
  const { data } = await body(api.get<List<Source>>(`/agents/${id}/sources?sourceType=file_upload`));
  t.match(data, [{ title: 'a.txt', createdAt: Number, lastCrawledAt: null }]);
  const source = `/agents/${id}/sources/${data[0]?.id}`;
  t.match(await body(api.get(`${source}/content`)), { text: /Hello from a file\./ });
  t.equal(await bytesUsed(), 18);
  await body(api.delete(source));
  t.equal(await bytesUsed(), 0);
});

t.test('the original of a file is downloaded as it was uploaded', async (t) => {
  const service = await startTestService(t, { worker: {} });
  const api = service.api((await service.workspace()).apiKey);
  const { id } = await api.agent();
  const path = `/agents/${id}/sources`;
  const name = 'Über "uns" (1).txt';
  const files = registration(await uploadFiles(api, id, { [name]: 'twelve bytes' }));
  await body(api.post(`${path}/file`, files));
  const source = await until(
    'the file to be read',
    async () => (await body(api.get<List<Source>>(path))).data[0],
  );
  const { status, headers, text } = await api.get(`${path}/${source.id}/original`);
  t.equal(status, 200);
  t.equal(text, 'twelve bytes');
  t.equal(headers.get('content-type'), 'text/plain');
  t.equal(
    headers.get('content-disposition'),
    "attachment; filename*=UTF-8''%C3%9Cber%20%22uns%22%20%281%29.txt",
  );
  t.equal(headers.get('x-content-type-options'), 'nosniff');
  t.match(headers.get('content-security-policy'), 'sandbox');
  const { documentId } = await body(
    api.post<{ documentId: string }>(`${path}/text`, { title: 'T', content: 'no file' }),
  );
  t.match(await api.get(`${path}/${documentId}/original`), {
    status: 404,
    body: { error: { code: 'RESOURCE_DOCUMENT_NOT_FOUND' } },
  });
});
