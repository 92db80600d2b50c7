import { EventEmitter } from 'node:events';
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { ApiError } from '../../../core/errors/api-error.js';
import { visitorsOf } from '../../../core/fairness/owner.js';
import type { Caller } from '../../../core/http/auth/authenticate.js';
import type { Callers } from '../../../core/http/auth/callers.js';
import { createAdmission } from '../../../core/http/limits/admission.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/** An admission whose keys are workspace ids; keys that start with "new" are not cached. */
function admissionUnderTest(requestsPerWorkspace = 2) {
  const lookUps: (() => void)[] = [];
  const callers: Omit<Callers, 'watch'> = {
    isVisitor: () => false,
    isKnown: ({ headers: { authorization: key = '' } }) => !key.startsWith('new'),
    async authenticate({ headers: { authorization: key = '' } }) {
      if (key.startsWith('new')) await new Promise<void>((resolve) => lookUps.push(resolve));
      return { share: key } as Caller;
    },
  };
  const { admit } = createAdmission({ callers, requestsPerWorkspace, networkOf: () => 'one' });
  const inProgress: Record<string, number> = {};
  const ends: Record<string, (() => void)[]> = {};
  const request = (key: string, { waits = false, rest }: { waits?: boolean; rest?: Promise<void> } = {}) => {
    const res = new EventEmitter();
    const ctx = { req: { headers: { authorization: key }, socket: {} }, res, state: {} };
    const done = admit(ctx as never, async (_, permit) => {
      inProgress[key] = (inProgress[key] ?? 0) + 1;
      ends[key] ??= [];
      if (waits) permit.release();
      if (rest) permit.holdUntil(rest);
      await new Promise<void>((resolve) => ends[key]?.push(resolve));
      inProgress[key] = (inProgress[key] ?? 0) - 1;
    });
    return { done, disconnect: () => res.emit('close') };
  };
  const end = (key: string) => ends[key]?.shift()?.();
  return { request, inProgress, end, lookUps };
}

t.test('limits the requests of a workspace in progress while another one competes', async (t) => {
  const { request, inProgress, end } = admissionUnderTest();
  request('quiet');
  for (let n = 0; n < 5; n += 1) request('heavy');
  await until('two requests', () => inProgress.heavy === 2);
  request('quiet');
  await until('both', () => inProgress.quiet === 2);
  t.equal(inProgress.heavy, 2);
  end('heavy');
  await until('the next request', () => inProgress.heavy === 2);
});

t.test('a slow request lets others of its workspace proceed', async (t) => {
  const { request, inProgress } = admissionUnderTest();
  request('quiet');
  for (let n = 0; n < 4; n += 1) request('heavy');
  await until('two requests', () => inProgress.heavy === 2);
  await until('the others', () => inProgress.heavy === 4);
  t.pass();
});

t.test('a request that waits for a job or an answer holds no permit', async (t) => {
  const { request, inProgress } = admissionUnderTest();
  request('quiet');
  for (let n = 0; n < 10; n += 1) request('heavy', { waits: true });
  for (let n = 0; n < 20; n += 1) await nextIteration();
  t.equal(inProgress.heavy, 10);
});

t.test('a request whose work goes on after its end holds its permit until then', async (t) => {
  const { request, inProgress, end } = admissionUnderTest(1);
  let endWork = () => {};
  const rest = new Promise<void>((resolve) => {
    endWork = resolve;
  });
  request('quiet');
  const first = request('heavy', { rest });
  await until('the first request', () => inProgress.heavy === 1);
  end('heavy');
  await first.done;
  request('heavy');
  for (let n = 0; n < 20; n += 1) await nextIteration();
  t.equal(inProgress.heavy, 0);
  endWork();
  await until('the second request', () => inProgress.heavy === 1);
});

t.test("visitors have a quarter of a workspace's permits", async (t) => {
  const { request, inProgress } = admissionUnderTest(8);
  const visitors = visitorsOf('heavy');
  request('heavy');
  for (let n = 0; n < 10; n += 1) request(visitors);
  await until('two visitors', () => inProgress[visitors] === 2);
  for (let n = 0; n < 20; n += 1) await nextIteration();
  t.equal(inProgress[visitors], 2);
});

t.test('a queued request whose client disconnects is not processed', async (t) => {
  const { request, inProgress, end } = admissionUnderTest();
  request('quiet');
  request('heavy');
  request('heavy');
  const third = request('heavy');
  const fourth = request('heavy');
  await until('two requests', () => inProgress.heavy === 2);
  third.disconnect();
  const refused = await third.done.catch((error: ApiError) => error.status);
  t.equal(refused, 503);
  end('heavy');
  end('heavy');
  await until('the fourth request', () => inProgress.heavy === 1);
  end('heavy');
  await fourth.done;
  t.equal(inProgress.heavy, 0);
});

t.test('limits concurrent lookups of unknown keys', async (t) => {
  const { request, inProgress, lookUps } = admissionUnderTest();
  for (let n = 0; n < 20; n += 1) request(`new ${n}`);
  request('known');
  await until('the known one', () => inProgress.known === 1);
  t.equal(lookUps.length, 2);
  lookUps.shift()?.();
  await until('the next look-up', () => lookUps.length === 2);
  t.equal(inProgress['new 0'], 1);
});

t.test('floods without a key are answered and do not delay other clients', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const guessed = Array.from({ length: 100 }, (_, n) => service.api(`${apiKey.slice(0, -3)}${100 + n}`));
  const flood = Promise.all(guessed.map((api) => api.get('/agents')));
  const probes = Promise.all(
    Array.from({ length: 50 }, () => fetch(`${service.baseUrl}/metrics`).then(({ status }) => status)),
  );
  t.equal((await service.api(apiKey).get('/agents')).status, 200);
  t.equal((await service.api(apiKey).post('/agents', { name: 'agent' })).status, 201);
  t.same(new Set((await flood).map(({ status }) => status)), new Set([401]));
  t.same(new Set(await probes), new Set([200]));
});
