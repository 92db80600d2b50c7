import { BULLMQ, FLOOR } from './contenders.js';

/** The reference of a goal. */
export interface Goal {
  title: string;
  /** The `what` of its rows. */
  what: string;
  /** The contender; `Cadre` by default. */
  who?: string;
  /** Compares with this contender; without it, the value itself counts. */
  beside?: string;
  of?: 'values' | 'p99';
  /** One of the two is set. */
  atLeast?: number;
  atMost?: number;
  /** Text for the report. */
  shown: string;
}

const atLeast = (limit: number) => ({ atLeast: limit, shown: `≥ ${limit}` });
const atMost = (limit: number, unit = '') => ({ atMost: limit, shown: `≤ ${limit}${unit}` });

const reads = ['GET agent', 'GET settings/ai', 'GET train', 'GET list of 20'];
/** Concurrent requests for one agent share a statement. Here each reads another agent. */
const spreadReads = ['GET agent, any of 200', 'GET list of 20, of any of 32 agents'];
const ofFloor = (what: string, limit: number): Goal => ({
  title: what,
  what,
  beside: FLOOR,
  ...atLeast(limit),
});
export const goals: readonly Goal[] = [
  ...reads.flatMap((what): Goal[] => [
    ofFloor(what, 0.85),
    { title: `${what}, p99`, what, beside: FLOOR, of: 'p99', ...atMost(1.3) },
  ]),
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
  { title: 'start until it listens', what: 'start until it listens, built', ...atMost(1000, ' ms') },
  { title: 'memory, idle, without worker', what: 'memory, idle', ...atMost(120, ' MB') },
];
