import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { body, type List } from '../support/api-client.js';
import { commandLine } from '../support/command-line.js';
import { onEachEngine, startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

const lamp = {
  title: 'Halo lamp',
  content: 'The Halo charges in about 90 minutes. The lamp weighs 85 grams.',
};
const charging = { type: 'number', question: 'How long does the Halo charge?', answer: [['90 minutes']] };
const expected = { ...charging, source: [lamp.title] };
const capital = { type: 'off-topic', question: 'What is the capital of <France>?' };

interface Evaluated {
  id: string;
  status: string;
  figures: { score: number };
  comparison?: { worse: number };
  results: { verdict: string }[];
}

await onEachEngine('evaluates a file of questions, and compares with an earlier run', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  await body(api.post(`/agents/${id}/sources/text`, lamp));
  const folder = tempFolder(t);
  const file = join(folder, 'questions.json');
  const write = (questions: object) => writeFileSync(file, JSON.stringify(questions));
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  write([expected, capital]);
  const first = await cli.json<Evaluated>('evaluate', file, '--agent', id, '--name', 'First');
  t.match(first, { status: 'completed', figures: { right: 1, refused: 1, score: 1 } });
  t.equal(first.results.length, 2);

  write({ questions: [{ ...expected, answer: [['two hours']] }, capital] });
  const junit = join(folder, 'junit.xml');
  const { code, out, err } = await cli.run(
    ...['evaluate', file, '--agent', id, '--compare-to', 'latest', '--fail-under', '0.8', '--junit', junit],
  );
  t.equal(code, 2, err);
  t.match(out, /number +1 +0 +1 +0 +0 +0 +0\.0 %/);
  t.match(out, /all +2 +0 +1 +0 +1 +0 +50\.0 %/);
  t.match(out, `Compared with ${first.id}: 0 better, 1 worse, 1 the same, 0 new.`);
  t.match(out, /How long does the Halo charge\? +right +partly/);
  t.match(err, 'The score is under 0.8.');
  const report = readFileSync(junit, 'utf8');
  t.match(report, '<testsuite name=');
  t.match(report, 'tests="2" failures="1" errors="0"');
  t.match(report, 'What is the capital of &lt;France&gt;?');
  t.match(report, '<failure type="partly"');

  t.match((await cli.refused('evaluate', '--agent', id)).message, 'the agent keeps no questions');
  await body(api.post(`/agents/${id}/evaluation-questions`, { questions: [expected] }));
  t.match(await cli.json('evaluate', '--agent', id), { figures: { questions: 1, score: 1 } });
});

t.test('says what is wrong, and starts nothing', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  const file = join(tempFolder(t), 'questions.json');
  const refusedWith = async (...args: string[]) => (await cli.refused('evaluate', ...args)).code;
  t.equal(await refusedWith(file, '--agent', id), 'FILE_INVALID');
  writeFileSync(file, '{}');
  t.equal(await refusedWith(file, '--agent', id), 'FILE_INVALID');
  writeFileSync(file, JSON.stringify([{ ...charging, answer: [['/(/']] }]));
  const { message } = await cli.refused('evaluate', file, '--agent', id);
  t.match(message, /^VALIDATION_INVALID_BODY: .*\/\(\/, which cannot be used/);
  t.equal(await refusedWith(file, '--agent', id, '--fail-under', '80'), 'USAGE');
  const missing = '01890000-0000-7000-8000-000000000000';
  t.match((await cli.refused('evaluate', '--agent', missing)).message, 'AGENT_NOT_FOUND');
  t.match((await cli.refused('evaluate', '--agent', id, '--key', 'wrong')).message, 'AUTH_INVALID_API_KEY');
  const without = commandLine({ CADRE_URL: service.baseUrl });
  t.equal((await without.refused('evaluate', '--agent', id)).code, 'USAGE');
  t.equal((await body(api.get<List<object>>(`/agents/${id}/evaluations`))).pagination.total, 0);
});
