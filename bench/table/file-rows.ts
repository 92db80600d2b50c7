import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, client } from '../../test/support/flows.js';
import { bootstrapKey, startServer } from '../../test/support/server-process.js';
import { childrenOf, percentile, residentMb, shown } from '../figures.js';
import { heavyFiles } from './heavy-files.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';

const IDLE_MS = 6_000;
const SAMPLE_MS = 100;
const JOB_MS = 120_000;
/** The peaks of so many rounds stand for the first and the last: one alone is mostly a matter of when garbage was collected. */
const PEAKS = 3;

/** Reads one after the other until `over`; milliseconds each. */
async function readUntil(api: Client, path: string, over: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!over()) {
    const start = performance.now();
    await api.call('GET', path);
    times.push(performance.now() - start);
  }
  return times;
}

const pause = (ms: number) => {
  const end = performance.now() + ms;
  return () => performance.now() > end;
};

/** The most memory that a process and its children had from now on. */
function watchMemory(pid: number): () => { api: number; worker: number } {
  const most = { api: 0, worker: 0 };
  const look = () => {
    most.api = Math.max(most.api, residentMb(pid) ?? 0);
    const children = childrenOf(pid).reduce((sum, child) => sum + (residentMb(child) ?? 0), 0);
    most.worker = Math.max(most.worker, children);
  };
  const timer = setInterval(look, SAMPLE_MS);
  return () => {
    look();
    clearInterval(timer);
    return most;
  };
}

/** What somebody notices who reads an agent while two threads read heavy files, on the embedded default; and the memory that this takes. */
export async function fileRows({ fileRounds }: Lengths, progress: Progress): Promise<Line[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-bench-'));
  const server = await startServer({
    dataDir,
    config: { workers: { threads: 2 } },
    env: { LOG_LEVEL: 'warn' },
  });
  const read = (who: string) => ({
    what: 'GET agent, one client',
    unit: 'ms',
    who,
    values: [] as number[],
    p99: [] as number[],
    note: 'SQLite',
  });
  const [idle, busy] = [read('idle'), read('while two threads read heavy files')];
  const memory = (of: string, who: string): Line => ({
    what: `most memory of the ${of} while 50 MB of files are read`,
    unit: 'MB',
    who,
    values: [],
  });
  const memories: { api: number; worker: number }[] = [];
  const files = heavyFiles();
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
  const seconds: number[] = [];
  try {
    const api = client(server.baseUrl, bootstrapKey);
    const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'reader' });
    const path = `/agents/${id}`;
    await readUntil(api, path, pause(1000));
    for (let round = 0; round < fileRounds; round += 1) {
      progress(`round ${round + 1}`);
      const calm = await readUntil(api, path, pause(IDLE_MS));
      const { id: learner } = await api.call<{ id: string }>('POST', '/agents', { name: 'learner' });
      const memoryUntilNow = watchMemory(server.pid);
      const jobId = await api.addFiles(learner, files);
      const start = performance.now();
      let over = false;
      const job = api.jobEnd(learner, jobId, JOB_MS).finally(() => {
        over = true;
      });
      const beside = await readUntil(api, path, () => over);
      const { status, tasks } = await job;
      seconds.push((performance.now() - start) / 1000);
      memories.push(memoryUntilNow());
      const failure = tasks.find(({ lastError }) => lastError !== null)?.lastError?.code;
      if (status !== 'completed' || failure !== undefined) throw new Error(`files: ${status}, ${failure}`);
      for (const [line, times] of [
        [idle, calm],
        [busy, beside],
      ] as const) {
        line.values.push(percentile(times, 0.5));
        line.p99.push(percentile(times, 0.99));
      }
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  busy.note = `${files.length} files, ${shown(megabytes)} MB, each round in ${seconds.map(shown).join(', ')} s`;
  const compared = Math.min(PEAKS, Math.floor(fileRounds / 2));
  const memoryLines = (['api', 'worker'] as const).flatMap((of) =>
    (
      [
        ['first rounds', memories.slice(0, compared)],
        ['last rounds', memories.slice(-compared)],
      ] as const
    ).map(([who, rounds]) => ({
      ...memory(of === 'api' ? 'API' : of, who),
      values: rounds.map((most) => most[of]),
      note: `${compared} of ${fileRounds}, each with another ${shown(megabytes)} MB`,
    })),
  );
  return [idle, busy, ...memoryLines];
}
