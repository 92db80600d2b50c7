import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAiEmbedding } from '../../adapters/openai-compatible/embedding/index.js';
import { body } from '../support/api-client.js';
import { commandLine } from '../support/command-line.js';
import { answers, embeddingOptions, startFakeEmbeddings } from '../support/fake-embeddings.js';
import { pluginContext } from '../support/models.js';
import { searchedAgent } from '../support/searching.js';
import { onEachEngine, startTestService } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

/* Answers without a language model, with an embedding model whose neighbours are defined here. */

/** Topics of texts, as angles in degrees: the cosine of the difference is the similarity. */
const angles: [part: string, angle: number][] = [
  ['guarantee lasts', 0],
  ['can be borrowed', 200],
  ['Bicycles are', 210],
  ['broken within a year', 20],
  ['related but no answer', 68],
  ['something else', 100],
];

function vectorOf(text: string): number[] {
  const angle = angles.find(([part]) => text.includes(part))?.[1] ?? 150;
  return [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180), 0.001];
}

await onEachEngine('a paraphrase is answered from the passage with its meaning', async (t, engine) => {
  const provider = await startFakeEmbeddings((response, call) => {
    const data = (call.body.input as string[]).map((text, index) => ({ index, embedding: vectorOf(text) }));
    answers(200, { object: 'list', data, model: call.body.model })(response, call);
  });
  t.teardown(() => provider.close());
  const options = embeddingOptions(provider.baseUrl);
  const { port, stop } = await openAiEmbedding.start({ ...pluginContext, options });
  t.teardown(() => stop({ deadlineMs: 1000 }));
  const service = await startTestService(t, {
    engine,
    embedding: port,
    worker: { plugins: { embedding: { use: 'openai-compatible', options } } },
    settings: { jobs: { backoffBaseMs: 10, backoffMaxMs: 50 } },
  });
  const { api, apiKey, agent, addText } = await searchedAgent(service);
  const guarantee = await addText('Guarantee', 'The guarantee lasts two years. Keep the invoice.');
  await addText('Tents', 'Tents can be borrowed for a week.');
  await addText('Bicycles', 'Bicycles are repaired on Mondays.');
  const ask = async (message: string) =>
    await body(
      api.post<{
        parts: { text: string }[];
        metadata: { outcome: string; citations: { documentId: string; quote: string }[] };
      }>(`${agent}/chat`, { message, stream: false }),
    );
  const search = async (query: string) =>
    await body(
      api.post<{ covered: boolean; data: { documentId: string; text: string }[] }>(`${agent}/search`, {
        query,
      }),
    );

  const paraphrase = 'My purchase is broken within a year: who pays?';
  await until('the documents have vectors', async () => (await search(paraphrase)).covered);
  t.equal((await search(paraphrase)).data[0]?.documentId, guarantee);
  const answer = await ask(paraphrase);
  t.match(answer.metadata, { outcome: 'answered', citations: [{ documentId: guarantee }] });
  t.match(answer.parts[0]?.text, /two years/);

  const related = 'Is this related but no answer?';
  t.equal((await search(related)).covered, false);
  t.match((await ask(related)).metadata, { outcome: 'suggested', citations: [] });

  const other = 'Is this something else?';
  t.equal((await search(other)).covered, false);
  t.match((await ask(other)).metadata, { outcome: 'unanswered', citations: [] });

  t.equal((await search('How long does the guarantee last?')).covered, true, 'words still count');

  const folder = tempFolder(t);
  const file = join(folder, 'questions.json');
  const questions = [
    { question: paraphrase, source: ['Guarantee'] },
    { question: other, type: 'off-topic' },
    { question: 'How long does the guarantee last?', source: ['Guarantee'] },
  ];
  writeFileSync(file, JSON.stringify(questions));
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  t.match(await cli.json('evaluate', file, '--agent', agent.split('/').at(-1) ?? '', '--calibrate'), {
    questions: 3,
    skipped: 2,
    right: 1,
    wrong: 0,
  });
});
