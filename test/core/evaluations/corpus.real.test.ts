import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EvaluationQuestion } from '../../../core/schemas/evaluations.js';
import { body, walk } from '../../support/api-client.js';
import { inCorpus, missingFromCorpus } from '../../support/corpus/folder.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/until.js';

interface CorpusAgent {
  name: string;
  sources: { kind: string; title: string; content?: string; questions?: string[]; answer?: string }[];
  questions: EvaluationQuestion[];
}

const set = inCorpus('answers', 'dev');
const skip = missingFromCorpus('answers', 'dev');

t.test('the development set gets the same verdicts as from the script beside it', { skip }, async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const out = join(tempFolder(t), 'verdicts.json');
  await promisify(execFile)(process.execPath, [
    inCorpus('answers', 'score.mjs'),
    ...['--url', service.baseUrl, '--key', apiKey, '--set', set, '--json', out, '--quiet'],
  ]);
  const expected = JSON.parse(readFileSync(out, 'utf8')) as { file: string; verdict: string }[];
  for (const file of readdirSync(set).sort()) {
    const agent = JSON.parse(readFileSync(join(set, file), 'utf8')) as CorpusAgent;
    const { id } = await api.agent(agent.name);
    for (const { kind, ...source } of agent.sources)
      await body(api.post(`/agents/${id}/sources/${kind}`, source));
    const made = await body(
      api.post<{ id: string }>(`/agents/${id}/evaluations`, { questions: agent.questions }),
    );
    await until('the end', async () => {
      const { status } = await body(api.get<{ status: string }>(`/agents/${id}/evaluations/${made.id}`));
      return status === 'completed';
    });
    const results = await walk<{ verdict: string }>(api, `/agents/${id}/evaluations/${made.id}/results`, 100);
    t.strictSame(
      results.map(({ verdict }) => verdict),
      expected.filter((row) => row.file === file).map(({ verdict }) => verdict),
      file,
    );
  }
});
