import { body, type List, type Source } from '../support/api-client.js';
import { type Fact, factFile, factSite, readFacts, wrongIn } from '../support/corpus/facts.js';
import { missingFromCorpus } from '../support/corpus/folder.js';
import { registration, uploadFiles } from '../support/files.js';
import { startTestService } from '../support/service.js';
import t from '../support/t.js';
import { until } from '../support/until.js';

interface Job {
  status: string;
  tasks: { status: string; lastError: { code: string } | null }[];
}

t.test('small inputs that are easily read wrong', { skip: missingFromCorpus('facts') }, async (t) => {
  const facts = readFacts().filter(({ file, page }) => file ?? page);
  const site = await factSite(t, facts);
  const origin = 'https://facts.example';
  const { client } = await startTestService(t, { worker: { crawl: { resolve: { [origin]: site.origin } } } });
  const api = await client();

  const ended = (agent: string, jobId: number | string) =>
    until(`job ${jobId}`, async () => {
      const job = await body(api.get<Job>(`${agent}/jobs/${jobId}`));
      return ['completed', 'failed', 'cancelled'].includes(job.status) && job;
    });

  /** Adds the input of a fact as a source, and reads it again where the fact asks for it. */
  async function add(agent: string, fact: Fact): Promise<Job> {
    if (fact.file) {
      const name = fact.file.split('/').at(-1) ?? '';
      const entries = await uploadFiles(api, agent.slice('/agents/'.length), {
        [name]: new Uint8Array(factFile(fact.file)),
      });
      const path = `${agent}/sources/file`;
      return ended(agent, (await body(api.post<{ jobId: number }>(path, registration(entries)))).jobId);
    }
    const read = async () => {
      const url = `${origin}/${fact.page}`;
      return ended(agent, (await body(api.post<{ jobId: string }>(`${agent}/sources/url`, { url }))).jobId);
    };
    const first = await read();
    if (!fact.then) return first;
    site.change(fact);
    return read();
  }

  for (const fact of facts)
    await t.test(`${fact.id}: ${fact.note ?? fact.kind}`, async (t) => {
      const agent = `/agents/${(await api.agent()).id}`;
      const job = await add(agent, fact);
      const [source] = (await body(api.get<List<Source>>(`${agent}/sources`))).data;
      if (fact.fails) {
        t.equal(source, undefined, 'nothing is stored');
        const code = job.tasks[0]?.lastError?.code;
        if (fact.fails === true) t.type(code, 'string');
        else t.equal(code, fact.fails);
        return;
      }
      if (!source) return void t.fail(`nothing was stored: ${JSON.stringify(job.tasks[0]?.lastError)}`);
      const { text } = await body(api.get<{ text: string }>(`${agent}/sources/${source.id}/content`));
      t.strictSame(wrongIn(fact, text, source.title), []);
    });
});
