import { body, type ErrorBody, invalid, type List } from '../../support/api-client.js';
import { registration, uploadFiles } from '../../support/files.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';

interface Failure {
  id: string;
  type: string;
  name: string;
  url: string | null;
  code: string;
  reason: string;
  jobId: string;
}

await onEachEngine('a failed page or file is listed until it is read', async (t, engine) => {
  const site = await scriptedSite();
  t.teardown(() => site.close());
  const origin = 'https://failures.example';
  // A name is shorter than a URL may be.
  const GONE = `${origin}/gone?${'x'.repeat(1900)}`.slice(0, 1000);
  const crawl = { resolve: { [origin]: site.origin } };
  const jobs = { maxAttempts: 1 };
  const service = await startTestService(t, { engine, worker: { crawl, jobs } });
  const api = service.api((await service.workspace()).apiKey);
  const { id } = await api.agent();
  const at = `/agents/${id}`;
  const jobEnd = async (jobId: string | number) =>
    until('the end of the job', async () => {
      const { status } = await body(api.get<{ status: string }>(`${at}/jobs/${jobId}`));
      return status !== 'pending' && status !== 'running' && status;
    });
  const failures = async () => (await body(api.get<List<Failure>>(`${at}/failures`))).data;
  const addPage = async (path: string) => {
    const { jobId } = await body(api.post<{ jobId: string }>(`${at}/sources/url`, { url: origin + path }));
    await jobEnd(jobId);
    return jobId;
  };

  const jobId = await addPage('/missing');
  await addPage(`/gone?${'x'.repeat(1900)}`);
  const bad = registration(await uploadFiles(api, id, { 'broken.docx': 'no archive' }));
  await jobEnd((await body(api.post<{ jobId: number }>(`${at}/sources/file`, bad))).jobId);
  const [file, , missing] = await failures();
  t.match(file, { type: 'file', name: 'broken.docx', url: null, code: /^FILE_/ });
  t.match(missing, {
    type: 'url',
    url: `${origin}/missing`,
    name: `${origin}/missing`,
    code: 'HTTP_NOT_FOUND',
    jobId,
  });
  t.ok(missing?.reason);

  await addPage('/missing');
  t.strictSame(
    (await failures()).map(({ name }) => name),
    [`${origin}/missing`, 'broken.docx', GONE],
    'one entry for each, newest first',
  );

  invalid(t, await api.post(`${at}/failures/${file?.id}/retry`), 'id');
  t.strictSame(await body(api.delete(`${at}/failures/${file?.id}`)), { deleted: true });
  t.match(await api.delete<ErrorBody>(`${at}/failures/${file?.id}`), {
    status: 404,
    body: { error: { code: 'RESOURCE_NOT_FOUND' } },
  });

  site.page('/missing', 'It is here now.');
  const [again] = await failures();
  const retried = await body(api.post<{ jobId: string }>(`${at}/failures/${again?.id}/retry`));
  t.equal(await jobEnd(retried.jobId), 'completed');
  t.strictSame(
    (await failures()).map(({ name }) => name),
    [GONE],
  );

  site.on('/missing', (_, response) => response.writeHead(404).end());
  await addPage('/missing');
  t.equal((await failures()).length, 2, 'a known page that fails is listed, too');
  const { data } = await body(api.get<List<{ id: string }>>(`${at}/sources`));
  await body(api.delete(`${at}/sources/${data[0]?.id}`));
  t.equal((await failures()).length, 1, 'and goes with its source');
});
