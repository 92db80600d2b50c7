import { join } from 'node:path';
import { apiClient, body, walk } from '../support/api-client.js';
import { emptyMysql } from '../support/mysql.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import { onEachEngine } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const QUESTIONS = 300;

interface Evaluation {
  id: string;
  status: string;
  progress: number;
  figures: { questions: number; right: number };
}

await onEachEngine('an evaluation continues after kill -9, and asks no question twice', async (t, engine) => {
  const dataDir = tempFolder(t);
  const url = engine === 'mysql' ? (await emptyMysql(t)).url : `sqlite:${join(dataDir, 'cadre.sqlite')}`;
  const start = () => startServer({ dataDir, env: { DATABASE_URL: url } });
  let server = await start();
  t.teardown(() => server.killAll());
  let api = apiClient(server.baseUrl, bootstrapKey);
  const { id } = await api.agent();
  const at = `/agents/${id}`;
  const source = { title: 'Reset', content: 'To reset the device, hold the power button for ten seconds.' };
  await body(api.post(`${at}/sources/text`, source));
  const questions = Array.from({ length: QUESTIONS }, (_, n) => ({
    question: 'How do I reset the device?',
    before: [`Question ${n + 1}`],
    answer: [['power button']],
    source: ['Reset'],
  }));
  const made = await body(api.post<Evaluation>(`${at}/evaluations`, { questions }));
  const look = () => body(api.get<Evaluation>(`${at}/evaluations/${made.id}`));
  await until('some results', async () => (await look()).progress > QUESTIONS / 10);
  await server.killAll();
  server = await start();
  api = apiClient(server.baseUrl, bootstrapKey);
  const before = (await look()).progress;
  t.ok(before < QUESTIONS, `${before} results before the kill`);
  const end = await until('the end', async () => {
    const found = await look();
    return found.status === 'completed' ? found : null;
  });
  t.match(end, { progress: QUESTIONS, figures: { questions: QUESTIONS, right: QUESTIONS } });
  const results = await walk<{ position: number }>(api, `${at}/evaluations/${made.id}/results`, 100);
  t.equal(new Set(results.map(({ position }) => position)).size, QUESTIONS);
  const usage = await body(api.get<object>('/workspace'));
  t.match(JSON.stringify(usage), `"answers":${2 * QUESTIONS}`, 'every stored result was charged once');
});
