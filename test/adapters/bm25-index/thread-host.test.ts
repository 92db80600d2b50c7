import { Worker } from 'node:worker_threads';
import type { Test } from 'tap';
import { createThreadHost, type Unnumbered } from '../../../adapters/bm25-index/thread-host.js';
import { silentLog } from '../../../core/ports/log.port.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

// Most tests wait for timeouts and restarts.
t.jobs = 4;

const question: Extract<Unnumbered, { kind: 'search' }> = {
  kind: 'search',
  agentId: 'a',
  knowledgeVersion: 1,
  rank: { terms: { hashes: new Uint32Array(), weights: new Float64Array() }, limit: 1, sourceTypes: null },
};

/** A thread whose behaviour depends on the agent's id; `n` is the number of earlier threads. */
const behaviour = `
  const { parentPort, workerData } = require('node:worker_threads');
  const result = { ranking: { chunks: [], size: workerData.n, frequencies: [] }, documents: 0, knowledgeVersion: 1, origin: 'warm', indexBytes: 0 };
  parentPort.on('message', ({ id, agentId }) => {
    if (agentId === 'die' || (agentId === 'die once' && workerData.n === 1)) process.exit(1);
    if (agentId === 'throw') throw new Error('unexpected');
    if (agentId === 'hang') for (;;);
    if (agentId === 'silent') return;
    parentPort.postMessage(agentId === 'fault' ? { id, error: 'no database' } : { id, result });
  });`;

function hostUnderTest(t: Test, timeoutMs = 5000) {
  let n = 0;
  const host = createThreadHost({
    launch: () => new Worker(behaviour, { eval: true, workerData: { n: ++n } }),
    log: silentLog,
    timeoutMs,
    capacity: 3,
  });
  t.teardown(() => host.close());
  const ask = (agentId: string) => host.request({ ...question, agentId });
  return { host, ask, threads: () => n };
}

t.test('a dead thread is replaced, and pending requests are repeated once', async (t) => {
  const { ask, threads } = hostUnderTest(t);
  t.equal((await ask('fine'))?.ranking.size, 1);
  const [died, beside] = await Promise.all([
    ask('die once'),
    ask('silent').catch((error: Error) => error.name),
  ]);
  t.equal(died?.ranking.size, 2);
  t.equal(beside, 'RetrievalUnavailable');
  t.equal(threads(), 2);
});

t.test('a question that kills two threads is rejected, and others proceed', async (t) => {
  const { ask } = hostUnderTest(t);
  const twice = {
    name: 'RetrievalUnavailable',
    message: 'the retrieval thread died twice during a search',
  };
  await t.rejects(ask('die'), twice);
  await t.rejects(ask('throw'), twice);
  t.ok(((await ask('fine'))?.ranking.size ?? 0) > 2);
});

t.test('a stuck thread is ended, and its callers time out', async (t) => {
  const { ask } = hostUnderTest(t, 300);
  await t.rejects(ask('hang'), { name: 'RetrievalUnavailable' });
  const answered = await until('the next thread answers', () => ask('fine').catch(() => null));
  t.ok(answered.ranking.size > 1, 'not the stuck thread');
});

t.test('an error is reported, and the queue is limited', async (t) => {
  const { ask, host } = hostUnderTest(t, 1000);
  await t.rejects(ask('fault'), { name: 'RetrievalUnavailable', message: 'no database' });
  const waiting = [ask('silent'), ask('silent'), ask('silent')].map((one) =>
    one.catch((error: Error) => error),
  );
  await t.rejects(ask('fine'), { name: 'RetrievalUnavailable' });
  await host.close();
  for (const one of await Promise.all(waiting)) t.match(one, { name: 'RetrievalUnavailable' });
  await t.rejects(ask('fine'), { name: 'RetrievalUnavailable' });
});

t.test('questions are rejected while no thread can be started', async (t) => {
  let isFull = true;
  const host = createThreadHost({
    launch() {
      if (isFull) throw new Error('no memory');
      return new Worker(behaviour, { eval: true, workerData: { n: 1 } });
    },
    log: silentLog,
  });
  t.teardown(() => host.close());
  await t.rejects(host.request(question), { name: 'RetrievalUnavailable' });
  isFull = false;
  t.match(await host.request(question), { ranking: { size: 1 } });
});
