import { median, processorMs, shown } from './figures.js';
import { load, type Request } from './http-load.js';
import type { Installation } from './installation.js';
import { startHttpPeer } from './peers.js';
import type { Line } from './report.js';

/** Who is measured: Cadre, then what it is held against. */
const peers = [
  ['floor', 'floor: bare Koa, one prepared statement, no key'],
  ['koa-sequelize', 'straight Koa + Sequelize'],
  ['fastify-sequelize', 'straight Fastify + Sequelize'],
] as const;

interface Measurement {
  what: string;
  connections: number;
  status: number;
  /** The requests for one of those that are measured, told by its number. */
  requests(contender: number): () => Request;
}

interface Contender {
  who: string;
  baseUrl: string;
  pid: number;
}

const AGENTS = 200;
const SOURCES = 40;

/** Agents with settings and sources; one more for each contender, whose texts are its own. */
async function fill({ api, database, workspaceId }: Installation): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < AGENTS + peers.length + 1; n += 1) {
    const { id } = await api.call<{ id: string }>('POST', '/agents', { name: `agent ${n}` });
    ids.push(id);
  }
  await api.call('PATCH', `/agents/${ids[0]}/settings/ai`, { instructionsPrompt: 'Answer in one line.' });
  for (let n = 0; n < SOURCES; n += 1)
    await api.call('POST', `/agents/${ids[0]}/sources/text`, {
      title: `Text ${n}`,
      content: 'It says little.',
    });
  const [[{ n }]] = (await database.query('SELECT COUNT(*) AS n FROM agents WHERE workspace_id = ?', [
    workspaceId,
  ])) as unknown as [[{ n: number }]];
  if (Number(n) !== ids.length) throw new Error('not all agents are there');
  return ids;
}

function measurements(ids: string[]): Measurement[] {
  const base = '/api/v2/agents';
  const first = `${base}/${ids[0]}`;
  const read =
    (path: string): Measurement['requests'] =>
    () =>
    () => ({ method: 'GET', path });
  let names = 0;
  const rename = (id: string | undefined): Request => {
    names += 1;
    return { method: 'PATCH', path: `${base}/${id}`, body: { name: `renamed ${names}` } };
  };
  const learn = (bytes: number): Measurement['requests'] => {
    const content = 'What this text says, in words that come again. '
      .repeat(Math.ceil(bytes / 47))
      .slice(0, bytes);
    return (contender) => () => ({
      method: 'POST',
      path: `${base}/${ids[AGENTS + contender]}/sources/text`,
      body: { title: 'A text', content },
    });
  };
  return [
    { what: 'GET agent', connections: 32, status: 200, requests: read(first) },
    { what: 'GET settings/ai', connections: 32, status: 200, requests: read(`${first}/settings/ai`) },
    { what: 'GET train', connections: 32, status: 200, requests: read(`${first}/train`) },
    { what: 'GET list of 20', connections: 32, status: 200, requests: read(`${first}/sources`) },
    {
      what: 'PATCH name, many agents',
      connections: 32,
      status: 200,
      requests: () => () => rename(ids[Math.floor(Math.random() * AGENTS)]),
    },
    {
      what: 'PATCH name, one hot agent, 64 clients',
      connections: 64,
      status: 200,
      requests: () => () => rename(ids[1]),
    },
    { what: 'POST text of 2 kB', connections: 16, status: 201, requests: learn(2_048) },
    { what: 'POST text of 256 kB', connections: 8, status: 201, requests: learn(262_144) },
  ];
}

/** Requests per second of reads and writes. Contenders take turns; each round begins with another one. */
export async function httpRows(
  installation: Installation,
  { rounds, ms }: { rounds: number; ms: number },
  progress: (text: string) => void,
): Promise<Line[]> {
  const ids = await fill(installation);
  const { cadre, databaseUrl, key } = installation;
  const contenders: Contender[] = [{ who: 'Cadre', baseUrl: cadre.baseUrl, pid: cadre.pid }];
  const missing: [string, string][] = [];
  const stops: (() => Promise<void>)[] = [];
  for (const [file, who] of peers) {
    const peer = await startHttpPeer(file, databaseUrl);
    if (typeof peer === 'string') missing.push([who, peer]);
    else {
      contenders.push({ who, baseUrl: peer.baseUrl, pid: peer.pid });
      stops.push(peer.stop);
    }
  }
  const lines: Line[] = [];
  for (const { what, connections, status, requests } of measurements(ids)) {
    progress(what);
    const found = contenders.map(() => ({
      values: [] as number[],
      p99: [] as number[],
      cpu: [] as number[],
      failed: 0,
    }));
    // A round before the first one warms up.
    for (let round = -1; round < rounds; round += 1) {
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const at = (turn + Math.max(0, round)) % contenders.length;
        const { baseUrl, pid } = contenders[at] as Contender;
        const before = processorMs(pid);
        const length = round < 0 ? Math.min(ms, 700) : ms;
        const result = await load({ baseUrl, key, connections, ms: length, status, next: requests(at) });
        if (round < 0) continue;
        const of = found[at] as (typeof found)[number];
        of.values.push(result.perSecond);
        of.p99.push(result.p99);
        of.failed += result.failed;
        const used = processorMs(pid);
        if (before !== null && used !== null)
          of.cpu.push((used - before) / Math.max(1, result.perSecond * (length / 1000)));
      }
    }
    contenders.forEach(({ who }, n) => {
      const { values, p99, cpu, failed } = found[n] as (typeof found)[number];
      const notes = [`p99 ${shown(median(p99))} ms`];
      if (cpu.length > 0) notes.push(`${shown(median(cpu))} ms of processor each`);
      if (failed > 0) notes.push(`${failed} failed`);
      lines.push({ what, unit: 'per second', who, values, note: notes.join(', ') });
    });
    for (const [who, why] of missing) lines.push({ what, unit: 'per second', who, values: [], note: why });
  }
  for (const stop of stops) await stop();
  return lines;
}
