import { median, processorMs, shown } from '../figures.js';
import { FLOOR } from './contenders.js';
import { load, type Request } from './http-load.js';
import type { Installation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';
import { startFloor } from './peers.js';

interface Measurement {
  what: string;
  connections: number;
  status: number;
  /** Requests for one contender, by its index. */
  requests(contender: number): () => Request;
}

interface Contender {
  who: string;
  baseUrl: string;
  pid: number;
}

const AGENTS = 200;
/** Number of agents with sources. */
const LEARNED = 32;
const SOURCES = 21;

/** Agents with settings and sources; one more per contender for its own texts. */
async function fill({ api, database, workspaceId }: Installation): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < AGENTS + 2; n += 1) {
    const { id } = await api.call<{ id: string }>('POST', '/agents', { name: `agent ${n}` });
    ids.push(id);
  }
  await api.call('PATCH', `/agents/${ids[0]}/settings/ai`, { instructionsPrompt: 'Answer in one line.' });
  for (const id of ids.slice(0, LEARNED))
    for (let n = 0; n < SOURCES; n += 1)
      await api.call('POST', `/agents/${id}/sources/text`, {
        title: `Text ${n}`,
        content: 'It says little.',
      });
  const [[{ n }]] = (await database.query('SELECT COUNT(*) AS n FROM agents WHERE workspace_id = ?', [
    workspaceId,
  ])) as unknown as [[{ n: number }]];
  if (Number(n) !== ids.length) throw new Error('not all agents are there');
  return ids;
}

const base = '/api/v2/agents';

const anyOf = (ids: string[], first: number): string => `${base}/${ids[Math.floor(Math.random() * first)]}`;

function readsOf(ids: string[]): Measurement[] {
  const first = `${base}/${ids[0]}`;
  const read = (what: string, pathOf: () => string): Measurement => ({
    what,
    connections: 32,
    status: 200,
    requests: () => () => ({ method: 'GET', path: pathOf() }),
  });
  return [
    read('GET agent', () => first),
    read('GET agent, any of 200', () => anyOf(ids, AGENTS)),
    read('GET settings/ai', () => `${first}/settings/ai`),
    read('GET train', () => `${first}/train`),
    read('GET list of 20', () => `${first}/sources`),
    read('GET list of 20, of any of 32 agents', () => `${anyOf(ids, LEARNED)}/sources`),
  ];
}

function writesOf(ids: string[]): Measurement[] {
  let names = 0;
  const rename = (id: string | undefined): Request => {
    names += 1;
    return { method: 'PATCH', path: `${base}/${id}`, body: { name: `renamed ${names}` } };
  };
  const addText = (bytes: number): Measurement['requests'] => {
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
    {
      what: 'PATCH name, many agents',
      connections: 32,
      status: 200,
      requests: () => () => rename(ids[Math.floor(Math.random() * AGENTS)]),
    },
    {
      what: 'PATCH name, one hot agent',
      connections: 64,
      status: 200,
      requests: () => () => rename(ids[1]),
    },
    { what: 'POST text of 2 kB', connections: 16, status: 201, requests: addText(2_048) },
    { what: 'POST text of 256 kB', connections: 8, status: 201, requests: addText(262_144) },
  ];
}

type Rows = (installation: Installation, lengths: Lengths, progress: Progress) => Promise<Line[]>;

export const readRows: Rows = (...given) => contest(readsOf, ...given);

export const writeRows: Rows = (...given) => contest(writesOf, ...given);

/** Requests per second. Contenders alternate; each round begins with another one. */
async function contest(
  measurementsOf: (ids: string[]) => Measurement[],
  installation: Installation,
  { rounds, ms }: Lengths,
  progress: Progress,
): Promise<Line[]> {
  const ids = await fill(installation);
  const { cadre, key } = installation;
  const floor = await startFloor(installation.databaseUrl);
  const contenders: Contender[] = [
    { who: 'Cadre', baseUrl: cadre.baseUrl, pid: cadre.pid },
    { who: FLOOR, baseUrl: floor.baseUrl, pid: floor.pid },
  ];
  const lines: Line[] = [];
  for (const { what, connections, status, requests } of measurementsOf(ids)) {
    progress(what);
    const found = contenders.map(() => ({
      values: [] as number[],
      p99: [] as number[],
      cpu: [] as number[],
      failed: 0,
    }));
    // The round before the first is a warm-up.
    for (let round = -1; round < rounds; round += 1) {
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const at = (turn + Math.max(0, round)) % contenders.length;
        const { baseUrl, pid } = contenders[at] as Contender;
        const before = processorMs(pid);
        const length = round < 0 ? Math.min(ms, 700) : ms;
        const result = await load({ baseUrl, key, connections, ms: length, status, next: requests(at) });
        const of = found[at] as (typeof found)[number];
        of.failed += result.failed;
        if (round < 0) continue;
        of.values.push(result.perSecond);
        of.p99.push(result.p99);
        const used = processorMs(pid);
        if (before !== null && used !== null)
          of.cpu.push((used - before) / Math.max(1, result.perSecond * (length / 1000)));
      }
    }
    contenders.forEach(({ who }, n) => {
      const { values, p99, cpu, failed } = found[n] as (typeof found)[number];
      const notes = [`${connections} clients`];
      if (cpu.length > 0) notes.push(`${shown(median(cpu))} ms of processor each`);
      if (failed > 0) notes.push(`${failed} failed`);
      lines.push({ what, unit: 'per second', who, values, p99, note: notes.join(', ') });
    });
  }
  await floor.stop();
  return lines;
}
