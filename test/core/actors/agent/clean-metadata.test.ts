import { documentsOf } from '../../../contracts/documents.js';
import { actors, said } from '../../../support/agents.js';
import t from '../../../support/t.js';

/* Metadata of pages and files is cleaned before it is stored: no control characters, no lone surrogates. */

t.test('removes control characters from the metadata, title and failures of a page', async (t) => {
  const { agents, agentId, sent, store } = await actors(t, { maxAttempts: 1 });
  const ask = (url: string) => agents.send(agentId, { kind: 'indexUrl', url, requestId: 'request' });
  const next = () => {
    const [message] = sent.splice(0);
    if (!message) throw new Error('nothing was admitted');
    return message;
  };

  await ask('https://a.example/page');
  const good = said.succeeded(next(), 'the text');
  Object.assign(good.event.outcome.extraction, {
    title: 'A\u0000 title \ud800',
    metadata: {
      byline: 'Ada\u0000 \ud83d Lovelace \udc00',
      etag: '"two  blanks \u{1f600}"',
      cues: 3,
      language: null,
      nested: { list: ['\ufeffa\u001bb', 1, false] },
    },
  });
  await agents.send(agentId, good);
  const [row] = await documentsOf(store, agentId);
  t.equal(row?.title, 'A title \ufffd');
  t.same(row?.metadata, {
    byline: 'Ada \ufffd Lovelace \ufffd',
    etag: '"two  blanks \u{1f600}"',
    cues: 3,
    language: null,
    nested: { list: ['ab', 1, false] },
  });

  const { job } = await ask('https://a.example/other');
  const bad = said.failed(next(), 'give-up');
  Object.assign(bad.event.failure, { message: 'It leads to\u0000 text/\udbff.' });
  await agents.send(agentId, bad);
  const [task] = (await store.operations.job(job.id))?.tasks ?? [];
  t.equal(task?.error?.message, 'It leads to text/\ufffd.');
});
