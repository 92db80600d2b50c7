import { createJobWaits } from '../../../core/jobs/job-waits.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { limits } from '../../../core/schemas/limits.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/** Jobs that stay open until they are removed from the set. */
function waits() {
  const open = new Set<number>();
  let looks = 0;
  const reads = {
    async openJobs(ids: readonly number[]) {
      looks += 1;
      return new Set(ids.filter((id) => open.has(id)));
    },
    agentsInTraining: async () => new Set<string>(),
  };
  return { open, waits: createJobWaits(reads, silentLog), looks: () => looks };
}

const patience = (seconds = 30) => {
  const gone = new AbortController();
  return { seconds, signal: gone.signal, leave: () => gone.abort() };
};

t.test('one poll serves all waits', async (t) => {
  const { open, waits: service, looks } = waits();
  open.add(1);
  const all = Array.from({ length: 50 }, () => service.jobEnds({ id: 1, workspaceId: 'w' }, patience()));
  await until('a look', () => looks() > 0);
  const before = looks();
  open.clear();
  await Promise.all(all);
  t.ok(looks() <= before + 2);
});

t.test('limits the waits of a workspace, so that others have theirs', async (t) => {
  const { open, waits: service } = waits();
  open.add(1);
  const all = Array.from({ length: limits.wait.ofWorkspace }, () =>
    service.jobEnds({ id: 1, workspaceId: 'w' }, patience()),
  );
  const refusal: unknown = await service
    .jobEnds({ id: 1, workspaceId: 'w' }, patience())
    .catch((error) => error);
  t.match(refusal, { status: 503, headers: { 'retry-after': '1' } });
  const other = patience();
  all.push(service.jobEnds({ id: 1, workspaceId: 'other' }, other));
  other.leave();
  await all.at(-1);
  service.end();
  await Promise.all(all);
  t.resolves(service.jobEnds({ id: 1, workspaceId: 'w' }, patience()), 'nobody waits any more');
});

t.test('a disconnected client frees its slot', async (t) => {
  const { open, waits: service } = waits();
  open.add(1);
  for (let n = 0; n < limits.wait.ofWorkspace * 2; n += 1) {
    const { leave, ...one } = patience();
    const wait = service.jobEnds({ id: 1, workspaceId: 'w' }, one);
    leave();
    await wait;
  }
  t.pass('each of them was taken');
  service.end();
});
