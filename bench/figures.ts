import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { type Client, client } from '../test/support/flows.js';
import { pdf, type SampleFile, sampleFiles } from '../test/support/sample-files.js';
import { bootstrapKey, startServer } from '../test/support/server-process.js';

/*
 * `npm run bench:figures` (after a build): start-up time, read latency idle and while big files are parsed (side by side in one run), memory idle and
 * after many agents were touched.
 */

const AGENTS = Number(process.argv[2] ?? 9_980);

const residentMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

function percentiles(times: number[]): { requests: number; p50: number; p99: number; max: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
  return { requests: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

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

const sentence =
  'The quick brown fox jumps over the lazy dog and explains the terms of delivery in some detail.';

const book = (): SampleFile => ({
  fileName: 'book.pdf',
  type: 'application/pdf',
  bytes: pdf(
    Array.from({ length: 300 }, (_, page) =>
      Array.from({ length: 45 }, (_, line) => `${page}.${line} ${sentence}`).join('\n'),
    ),
  ),
});

/** Rows of numbers and texts, stored as they are: some 20 MB on disk. */
function table(): SampleFile {
  const plain = sampleFiles(() => 'x').find(({ fileName }) => fileName.endsWith('.xlsx'));
  if (!plain) throw new Error('there is no sample workbook');
  const rows: string[] = [];
  for (let row = 1, size = 0; size < 20 * 1024 * 1024; row += 1) {
    const text = `<row r="${row}"><c r="A${row}"><v>${row}</v></c><c r="B${row}" t="inlineStr"><is><t>${sentence} ${row}</t></is></c><c r="C${row}"><v>${row * 1.5}</v></c></row>`;
    rows.push(text);
    size += text.length;
  }
  const sheet = `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows.join('')}</sheetData></worksheet>`;
  return {
    ...plain,
    fileName: 'table.xlsx',
    bytes: zipSync({ ...unzipSync(plain.bytes), 'xl/worksheets/sheet1.xml': [strToU8(sheet), { level: 0 }] }),
  };
}

const dataDir = mkdtempSync(join(tmpdir(), 'cadre-figures-'));
const began = performance.now();
const server = await startServer({ dataDir, env: { LOG_LEVEL: 'warn' } });
const api = client(server.baseUrl, bootstrapKey);
await api.call('GET', '/agents');
const started = performance.now() - began;
const idleMb = residentMb(server.pid);

const agent = await api.call<{ id: string }>('POST', '/agents', { name: 'reader' });
const path = `/agents/${agent.id}`;
const pause = (ms: number) => {
  const end = performance.now() + ms;
  return () => performance.now() > end;
};
await readUntil(api, path, pause(1000));
const idle = percentiles(await readUntil(api, path, pause(5000)));

console.log('idle', idle);
const reports: Record<string, object> = { 'GET agent, idle': idle };
for (const file of [book(), table()]) {
  let over = false;
  const jobId = await api.addFiles(agent.id, [file]);
  const start = performance.now();
  const job = api.jobEnd(agent.id, jobId).finally(() => {
    over = true;
  });
  const busy = percentiles(await readUntil(api, path, () => over));
  const { status, tasks } = await job;
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  reports[`GET agent, during ${file.fileName} (${Math.round(file.bytes.length / 1e6)} MB)`] = {
    ...busy,
    ratio: Math.round((busy.p99 / idle.p99) * 10) / 10,
    job: `${status} ${tasks[0]?.lastError?.code ?? ''} in ${seconds} s`,
  };
}
const afterFilesMb = residentMb(server.pid);

for (let n = 0; n < AGENTS; n += 20) {
  await Promise.all(
    Array.from({ length: 20 }, async (_, k) => {
      const { id } = await api.call<{ id: string }>('POST', '/agents', { name: `agent ${n + k}` });
      await api.call('PATCH', `/agents/${id}`, { name: `touched ${n + k}` });
    }),
  );
}
console.log(`start to first answered request: ${Math.round(started)} ms`);
console.table(reports);
console.log(
  `resident memory of the API: idle ${idleMb} MB, after big files ${afterFilesMb} MB, after ${AGENTS} agents ${residentMb(server.pid)} MB`,
);
await server.stop();
rmSync(dataDir, { recursive: true, force: true });
