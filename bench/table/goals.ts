import { soakWhat } from '../soak/watched.js';
import { BULLMQ, besideStrapi, FLOOR, LONE_WORKER, STRAIGHT_KOA, STRAPI } from './contenders.js';

/** What a measurement is held against. */
export interface Goal {
  title: string;
  /** The `what` of its lines. */
  what: string;
  /** Whose line; `Cadre` where nothing is said. */
  who?: string;
  /** The ratio to this one counts; without it, the value itself. */
  beside?: string;
  of?: 'values' | 'p99';
  /** One of the two. */
  atLeast?: number;
  atMost?: number;
  /** As people read it. */
  shown: string;
}

const atLeast = (limit: number) => ({ atLeast: limit, shown: `≥ ${limit}` });
const atMost = (limit: number, unit = '') => ({ atMost: limit, shown: `≤ ${limit}${unit}` });

const reads = ['GET agent', 'GET settings/ai', 'GET train', 'GET list of 20'];
/** Those who ask for one agent at the same moment share a statement. Here each asks for another one. */
const spreadReads = ['GET agent, any of 200', 'GET list of 20, of any of 32 agents'];
const readsInStrapi = ['GET agent', 'GET list of 20'];
const ofFloor = (what: string, limit: number): Goal => ({
  title: what,
  what,
  beside: FLOOR,
  ...atLeast(limit),
});
/** The last quarter of a soak beside its first. */
const noGrowth = (key: Parameters<typeof soakWhat>[0], limit: number): Goal => ({
  title: `${soakWhat(key)}, growth`,
  what: soakWhat(key),
  who: 'last quarter',
  beside: 'first quarter',
  ...atMost(limit),
});
const lists = ['first page', 'middle page', 'last page', 'first page of one type', 'training status'];

export const goals: readonly Goal[] = [
  ...reads.flatMap((what): Goal[] => [
    ofFloor(what, 0.85),
    { title: what, what, beside: STRAIGHT_KOA, ...atLeast(5) },
    { title: `${what}, p99`, what, beside: FLOOR, of: 'p99', ...atMost(1.3) },
  ]),
  ...readsInStrapi.map(
    (what): Goal => ({ title: what, what: besideStrapi(what), beside: STRAPI, ...atLeast(25) }),
  ),
  ...spreadReads.map((what) => ofFloor(what, 0.85)),
  ofFloor('PATCH name, many agents', 0.7),
  ofFloor('PATCH name, one hot agent', 2.5),
  ofFloor('POST text of 2 kB', 0.8),
  ofFloor('POST text of 256 kB', 0.7),
  { title: 'tasks accepted one by one', what: 'tasks accepted one by one', beside: BULLMQ, ...atLeast(0.4) },
  { title: 'tasks of one job', what: 'tasks of one job', beside: BULLMQ, ...atLeast(1) },
  {
    title: 'tasks of one job: statements each',
    what: 'statements of the whole server, each task of one job',
    ...atMost(4),
  },
  {
    title: 'tasks of one job: processor of the API each',
    what: 'processor of the API, each task of one job',
    ...atMost(1, ' ms'),
  },
  {
    title: 'from accepted to running, idle, p99',
    what: 'from accepted to running, idle',
    beside: BULLMQ,
    of: 'p99',
    ...atMost(3),
  },
  {
    title: 'from accepted to running, idle, p99',
    what: 'from accepted to running, idle',
    of: 'p99',
    ...atMost(25, ' ms'),
  },
  { title: 'retrain of mixed pages', what: 'retrain of mixed pages', beside: LONE_WORKER, ...atLeast(0.9) },
  ...lists.flatMap((page) =>
    ['100,000 sources', '1,000,000 sources'].map(
      (who): Goal => ({
        title: `${page}, ${who}`,
        what: page,
        who,
        beside: '1,000 sources',
        ...atMost(1.2),
      }),
    ),
  ),
  {
    title: 'GET agent while two threads read heavy files, p99',
    what: 'GET agent, one client',
    who: 'while two threads read heavy files',
    beside: 'idle',
    of: 'p99',
    ...atMost(2.2),
  },
  {
    title: 'memory of the API while 50 MB of files are read',
    what: 'most memory of the API while 50 MB of files are read',
    who: 'last rounds',
    beside: 'first rounds',
    ...atMost(1.2),
  },
  {
    title: 'memory of the worker while 50 MB of files are read',
    what: 'most memory of the worker while 50 MB of files are read',
    who: 'last rounds',
    beside: 'first rounds',
    ...atMost(1.2),
  },
  { title: 'start until it listens', what: 'start until it listens, built', ...atMost(1000, ' ms') },
  { title: 'memory, idle, without worker', what: 'memory, idle', ...atMost(120, ' MB') },
  {
    title: 'memory after 100,000 agents touched',
    what: 'memory of the API by agents touched',
    who: '100,000 agents',
    beside: '20,000 agents',
    ...atMost(1.2),
  },
  noGrowth('apiMb', 1.2),
  noGrowth('workerMb', 1.2),
  noGrowth('readP99Ms', 1.5),
  noGrowth('acceptP99Ms', 1.5),
  ...(['outbox', 'mailboxes'] as const).map(
    (key): Goal => ({ title: soakWhat(key), what: soakWhat(key), who: 'last quarter', ...atMost(50) }),
  ),
];
