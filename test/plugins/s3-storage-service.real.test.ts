import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { client } from '../support/flows.js';
import { projectFile } from '../support/project-folder.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

const folder = projectFile('plugins/examples/s3-storage/');
const example = fileURLToPath(folder);

interface S3Server {
  options(): { secretAccessKey: string; endpoint: string };
  close(): Promise<void>;
}

/** Like the example's own tests. */
const openServer = async (): Promise<S3Server> =>
  ((await import(new URL('tests/s3.js', folder).href)) as { openServer(): Promise<S3Server> }).openServer();

t.test(
  'the service with the example as its storage: a file is uploaded to S3, read and deleted',
  async (t) => {
    const s3 = await openServer();
    t.teardown(s3.close);
    const { secretAccessKey, ...options } = s3.options();
    const dataDir = tempFolder(t);
    const server = await startServer({
      dataDir,
      config: { plugins: { storage: { use: relative(dataDir, example), options } } },
      env: { CADRE_PLUGINS_STORAGE_OPTION_SECRET_ACCESS_KEY: secretAccessKey },
    });
    t.teardown(async () => {
      if (!t.passing()) t.comment(server.log().slice(-6000));
      await server.killAll().catch(() => {});
    });
    const { call, addFiles, jobEnd } = client(server.baseUrl, bootstrapKey);
    const { id } = await call<{ id: string }>('POST', '/agents', { name: 'reader' });
    const bytes = new TextEncoder().encode('# Herons\n\nThe heron stands in the pond and waits for fish.\n');
    const job = await jobEnd(
      id,
      await addFiles(id, [{ fileName: 'herons.md', type: 'text/markdown', bytes }]),
    );
    t.match(job, { status: 'completed', tasksFailedCount: 0 });
    const documentId = job.tasks[0]?.documentId;
    const { text } = await call<{ text: string }>('GET', `/agents/${id}/sources/${documentId}/content`);
    t.match(text, /waits for fish/);
    await call('DELETE', `/agents/${id}/sources/${documentId}`);
    const csp = (await fetch(`${server.baseUrl}/console`)).headers.get('content-security-policy') ?? '';
    t.ok(csp.includes(options.endpoint), 'the console may send files there');
    t.equal(await server.stop(), 0);
  },
);
