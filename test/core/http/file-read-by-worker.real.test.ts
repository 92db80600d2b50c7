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
