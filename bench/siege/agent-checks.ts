import type { Agent, List, Source } from '../../test/support/api-client.js';
import type { Job } from '../../test/support/flows.js';
import type { Caller } from './caller.js';
import { fieldNames, fields } from './fields.js';
import { isOver, type KnownAgent } from './ledger.js';

/** Compares responses with the known state of an agent. Each check reports what is wrong and continues. */

export function checkAgent(caller: Caller, known: KnownAgent, agent: Agent): void {
  for (const name of fieldNames) {
    const value = fields[name].read(agent) ?? null;
    const register = known.fields.get(name);
    if (register?.allows(value === null ? null : String(value))) continue;
    caller.wrong(`agent ${agent.id}: ${name} is ${String(value)}, acknowledged was ${register?.last()}`);
  }
}

/** Reads a whole list; null if a page failed. Reports items that occur twice. */
export async function walk<T extends { id: string }>(
  caller: Caller,
  path: string,
  limit: number,
): Promise<{ items: T[]; total: number } | null> {
  const items: T[] = [];
  let cursor: string | null = null;
  let total = 0;
  do {
    const at: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await caller.call<List<T>>('GET', `${path}?limit=${limit}${at}`);
    if (page.kind === 'refused') caller.wrong(`${path}: ${page.status} ${page.code} in the middle of a walk`);
    if (page.kind !== 'done') return null;
    items.push(...page.body.data);
    ({ cursor } = page.body.pagination);
    ({ total } = page.body.pagination);
  } while (cursor !== null);
  if (new Set(items.map(({ id }) => id)).size !== items.length) caller.wrong(`${path}: an item came twice`);
  return { items, total };
}

/** The list must contain everything that was acknowledged and nothing that was deleted. */
export function checkLessons(caller: Caller, known: KnownAgent, sources: Source[]): void {
  const listed = new Map(sources.map((source) => [source.id, source]));
  for (const [id, { title, life }] of known.lessons) {
    const source = listed.get(id);
    if (life === 'there' && source === undefined) caller.wrong(`agent ${known.id}: source ${title} is lost`);
    if (life === 'gone' && source !== undefined) caller.wrong(`agent ${known.id}: source ${title} came back`);
    if (source !== undefined && source.title !== title)
      caller.wrong(`agent ${known.id}: source ${title} is now called ${source.title}`);
  }
}

/** A job's state must never go back. */
export function checkJob(caller: Caller, known: KnownAgent, id: string, job: Job): void {
  const entry = known.jobs.get(id);
  if (entry === undefined) return;
  if (isOver(entry.status) && entry.status !== job.status)
    caller.wrong(`job ${id} was ${entry.status} and is ${job.status}`);
  const ended = job.tasks.filter(({ status }) => isOver(status)).length;
  if (isOver(job.status) && (ended !== job.tasks.length || job.tasksCompletedCount !== job.tasksCount))
    caller.wrong(
      `job ${id} is ${job.status} with ${job.tasksCompletedCount} of ${job.tasksCount} tasks ended`,
    );
  entry.status = job.status;
}
