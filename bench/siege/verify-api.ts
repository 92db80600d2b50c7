import type { Agent, Source } from '../../test/support/api-client.js';
import type { Job } from '../../test/support/flows.js';
import { checkAgent, checkJob, checkLessons, walk } from './agent-checks.js';
import type { BigJobs } from './big-jobs.js';
import type { Caller, Outcome } from './caller.js';
import { isOver, type KnownAgent, type Ledger } from './ledger.js';
import type { Tally } from './tally.js';

/** Broken promises by name. All must be zero. */
export type Broken = Record<string, number>;

/** Errors that an attempt may end with under these faults, once its attempts or deliveries are used up. */
const excusable = new Set([
  'WORKER_STALLED',
  'WORKER_CRASHED',
  'STORAGE_FAILED',
  'FETCH_FAILED',
  'FETCH_TIMEOUT',
  'ROBOTS_UNREACHABLE',
]);

interface Parts {
  caller: Caller;
  ledger: Ledger;
  tally: Tally;
}

/** Verifies the results of all visitors through the API, at rest. */
export async function verifyByApi({ caller, ledger, tally }: Parts, big: BigJobs): Promise<Broken> {
  const broken: Broken = {
    'accepted agents lost': 0,
    'deleted agents that came back': 0,
    'accepted sources lost': 0,
    'jobs not ended': 0,
    'tasks failed without excuse': 0,
    'documents lost': 0,
    'documents doubled': 0,
    'texts that are not the page or file': 0,
    'pages that are older than their last retrain': 0,
    'list totals wrong': 0,
  };
  const add = (what: string, why: string): void => {
    broken[what] = (broken[what] ?? 0) + 1;
    caller.wrong(`${what}: ${why}`);
  };

  const countFailures = (tasks: Job['tasks']): void => {
    for (const { lastError, status, target } of tasks) {
      if (status !== 'failed') continue;
      const code = lastError?.code ?? 'no code';
      tally.add(`tasks failed: ${code}`);
      if (!excusable.has(code)) add('tasks failed without excuse', `${target}: ${code}`);
    }
  };

  async function textOf(agentId: string, documentId: string): Promise<string> {
    const answer = await sure(
      caller.call<{ text: string }>('GET', `/agents/${agentId}/sources/${documentId}/content`),
    );
    return answer?.text ?? '';
  }

  async function agentIsThere(known: KnownAgent): Promise<boolean> {
    const answer = await caller.call<Agent>('GET', `/agents/${known.id}`);
    if (answer.kind === 'done') {
      checkAgent(caller, known, answer.body);
      if (known.life === 'gone') add('deleted agents that came back', known.id);
      return true;
    }
    if (known.life === 'there') add('accepted agents lost', known.id);
    return false;
  }

  async function sourcesOf(agentId: string): Promise<Source[]> {
    const path = `/agents/${agentId}/sources`;
    const found = await walk<Source>(caller, path, 100);
    if (found === null) throw new Error(`${path} cannot be read`);
    if (found.total !== found.items.length)
      add('list totals wrong', `${path}: ${found.total} for ${found.items.length}`);
    return found.items;
  }

  async function checkJobs(known: KnownAgent, sources: Map<string, Source>): Promise<void> {
    for (const [id, { kind, sentences }] of known.jobs) {
      const job = await sure(caller.call<Job>('GET', `/agents/${known.id}/jobs/${id}`));
      if (job === null || !isOver(job.status)) {
        add('jobs not ended', `${id}: ${job?.status}`);
        continue;
      }
      checkJob(caller, known, id, job);
      countFailures(job.tasks);
      for (const { target, status, documentId } of job.tasks) {
        if (status !== 'completed') continue;
        if (documentId === null || !sources.has(documentId)) add('documents lost', `job ${id}: ${target}`);
        else if (kind === 'files') {
          const text = await textOf(known.id, documentId);
          const sentence = sentences[target];
          if (sentence === undefined || !text.includes(sentence))
            add('texts that are not the page or file', target);
        }
      }
    }
  }

  async function checkSources(known: KnownAgent): Promise<void> {
    const items = await sourcesOf(known.id);
    const byId = new Map(items.map((source) => [source.id, source]));
    checkLessons(caller, known, items);
    for (const [id, { life, title }] of known.lessons)
      if (life === 'there' && !byId.has(id)) add('accepted sources lost', title);
    const titles = items.filter(({ sourceType }) => /text|qna/.test(sourceType)).map(({ title }) => title);
    for (const title of new Set(titles)) {
      const times = titles.filter((other) => other === title).length;
      if (times > 1) add('documents doubled', `${title} in agent ${known.id}, ${times} times`);
    }
    const asked = new Set([...known.lessons.values()].map(({ title }) => title));
    for (const title of titles)
      if (!asked.has(title) && !known.possibleLessons.has(title))
        add('documents doubled', `nobody asked for ${title}`);
    await checkJobs(known, byId);
  }

  async function checkPages(agentId: string): Promise<void> {
    const last = big.jobs.findLast(({ status }) => status === 'completed');
    const sources = await sourcesOf(agentId);
    const failed = new Set<string>();
    for (const { id } of big.jobs) {
      const path = `/agents/${agentId}/jobs/${id}`;
      const job = await sure(caller.call<Job>('GET', path));
      if (job === null || !isOver(job.status)) add('jobs not ended', id);
      if (job === null) continue;
      const tasks = await walk<Job['tasks'][number]>(caller, `${path}/tasks`, 100);
      if (tasks === null) throw new Error(`${path}/tasks cannot be read`);
      if (tasks.items.length !== job.tasksCount || tasks.total !== job.tasksCount)
        add('list totals wrong', `${path}: ${tasks.items.length} tasks, ${tasks.total} in all`);
      countFailures(tasks.items);
      if (id === last?.id)
        for (const { status, documentId } of tasks.items)
          if (status !== 'completed') failed.add(documentId ?? '');
    }
    if (last === undefined) return;
    for (const { id, title } of sources) {
      const text = await textOf(agentId, id);
      const edition = Number(/Edition (\d+)\./.exec(text)?.[1] ?? -1);
      if (edition < last.edition && !failed.has(id))
        add('pages that are older than their last retrain', `${title}: ${edition} < ${last.edition}`);
    }
  }

  for (const known of ledger.agents) if (await agentIsThere(known)) await checkSources(known);
  await checkPages(big.agentId);
  const agents = await walk<Agent>(caller, '/agents', 100);
  if (agents === null || agents.total !== agents.items.length)
    add('list totals wrong', `agents: ${agents?.total} for ${agents?.items.length}`);
  return broken;
}

/** Returns the body; null for a 4xx. At rest, anything else is an error. */
async function sure<T>(asked: Promise<Outcome<T>>): Promise<T | null> {
  const answer = await asked;
  return answer.kind === 'done' ? answer.body : null;
}
