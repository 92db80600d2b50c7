import { cleanString } from '../../../knowledge/text/clean-values.js';
import { seconds } from '../../../ports/clock.port.js';
import type { TaskRow, TracedTask } from '../../../ports/store/rows.js';
import { backoffMs } from '../../../tasks/backoff.js';
import { resultRef } from '../../../tasks/extraction-object.js';
import { type Failure, failureKinds } from '../../../tasks/failures.js';
import { jobTaskTypes, multipleOf } from '../../../tasks/task-types.js';
import type { CrawlPagePayload } from '../../../tasks/types/crawl-page.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { endTask, startJob } from './job-progress.js';
import { taskResults } from './results.js';

/*
 * Handlers of worker events. Only events of the current attempt have an effect. Any other event (a duplicate, a late event,
 * or an event of an ended task) changes nothing, and its result is discarded.
 */

async function currentAttempt(
  { turn }: AgentTurnContext,
  event: { taskId: string; attempt: number },
): Promise<TaskRow | null> {
  const task = await turn.jobs.task(event.taskId);
  if (!task || task.attempts !== event.attempt) return null;
  return task.status === 'queued' || task.status === 'running' ? task : null;
}

export const admitDue: Handler<'admit'> = async (context, { places }) => {
  context.admit(places);
  return null;
};

/** Reports the queueing time at the first event of an attempt, which need not be `started`: short attempts omit that. */
const noteTaken = ({ rules, note }: AgentTurnContext, { status, type, dueAtMs }: TaskRow): void => {
  if (status === 'queued') note({ kind: 'attemptTaken', type, waitedMs: rules.clock.now() - dueAtMs });
};

export const taskStarted: Handler<'taskStarted'> = async (context, { event }) => {
  const task = await currentAttempt(context, event);
  if (!task) return null;
  noteTaken(context, task);
  const leaseUntilMs = context.rules.clock.now() + context.rules.leaseMs;
  await context.turn.jobs.updateTask(task.id, { status: 'running', leaseUntilMs, published: true });
  await startJob(context, task.jobId);
  await context.turn.jobs.startFollowers(task.id, seconds(context.rules.clock.now()));
  return null;
};

export const taskSucceeded: Handler<'taskSucceeded'> = async (context, { event }) => {
  const { turn, rules } = context;
  if (event.ref !== null) await turn.uploads.discard([event.ref], seconds(rules.clock.now()));
  const task = await currentAttempt(context, event);
  if (!task) return null;
  noteTaken(context, task);
  if (task.attempts > 1) await discardResults(context, task);
  const { keep, settleFailure } = taskResults[task.type];
  const end = await keep(context, task, event.outcome);
  if (end === null) {
    await readAnew(context, task);
    return null;
  }
  if (end.status === 'continued') {
    await startJob(context, task.jobId);
    await turn.jobs.updateTask(task.id, {
      type: end.type,
      payload: end.payload,
      status: 'pending',
      dueAtMs: end.dueAtMs ?? rules.clock.now(),
      leaseUntilMs: null,
      published: false,
    });
    context.admit();
    return null;
  }
  if (end.status === 'failed') await settleFailure?.(context, task, end.error);
  await endTask(context, task, end);
  context.admit();
  return null;
};

export const taskFailed: Handler<'taskFailed'> = async (context, { event }) => {
  const task = await currentAttempt(context, event);
  if (!task) {
    // A worker that got the message again may have stored a result and died before reporting it.
    const { turn, rules } = context;
    await turn.uploads.discard([resultRef(event.taskId, event.attempt)], seconds(rules.clock.now()));
    return null;
  }
  if (event.kind === 'failed') noteTaken(context, task);
  await endAttempt(context, task, event.kind === 'failed' ? event.failure : deathOf(task));
  return null;
};

async function endAttempt(context: AgentTurnContext, task: TaskRow, failure: Failure): Promise<void> {
  if (task.status === 'queued') {
    // A short attempt sends no `started`, so start its jobs here.
    await startJob(context, task.jobId);
    await context.turn.jobs.startFollowers(task.id, seconds(context.rules.clock.now()));
  }
  await fail(context, task, failure);
  context.admit();
}

/**
 * Schedules another fetch of a page that the worker found unchanged, but that another task has replaced in the meantime. The
 * next attempt does not compare.
 */
async function readAnew(context: AgentTurnContext, task: TaskRow): Promise<void> {
  if (!mayTryAgain(context, task)) {
    // No attempt is left, and the stored content is as new as this attempt.
    await endTask(context, task, { status: 'completed', documentId: task.documentId });
    return context.admit();
  }
  const { known: _, ...payload } = task.payload as CrawlPagePayload;
  await context.turn.jobs.updateTask(task.id, { payload });
  await endAttempt(context, task, {
    code: 'TASK_FAILED',
    message: 'The page changed while it was read. It will be read again.',
    verdict: 'retry',
  });
}

export const expireLeases: Handler<'expireLeases'> = async (context) => {
  const { turn, rules } = context;
  for (const task of await turn.jobs.stalled(rules.clock.now())) {
    context.note({ kind: 'leaseExpired', type: task.type });
    await fail(context, task, {
      code: 'WORKER_STALLED',
      message: failureKinds.WORKER_STALLED.sentence,
      verdict: 'retry',
    });
  }
  context.admit();
  return null;
};

/**
 * A dead letter gets one more attempt: its worker may have been killed by another task, or the connection may
 * have been cut.
 */
const deathOf = (task: TaskRow): Failure => ({
  code: 'WORKER_CRASHED',
  message: failureKinds.WORKER_CRASHED.sentence,
  verdict: task.error?.code === 'WORKER_CRASHED' ? 'give-up' : 'retry',
});

/** Discards the results of all attempts: workers may have died after storing one, before reporting it. */
export const discardResults = ({ turn, rules }: AgentTurnContext, { id, attempts }: TaskRow): Promise<void> =>
  turn.uploads.discard(
    Array.from({ length: attempts }, (_, n) => resultRef(id, n + 1)),
    seconds(rules.clock.now()),
  );

const mayTryAgain = ({ rules }: AgentTurnContext, { type, attempts }: TaskRow): boolean =>
  attempts < multipleOf(jobTaskTypes[type].attempts, rules.maxAttempts);

/** Schedules the next attempt, or ends the task if none is left or a retry would not help. */
async function fail(context: AgentTurnContext, task: TaskRow | TracedTask, failure: Failure): Promise<void> {
  const { turn, rules } = context;
  const error = { code: failure.code, message: cleanString(failure.message) };
  if (task.isRetrain && !(await turn.documents.find(task.documentId ?? ''))) {
    await endTask(context, task, { status: 'cancelled' });
  } else if (failure.verdict === 'retry' && mayTryAgain(context, task)) {
    const wait = failureKinds[failure.code].atOnce
      ? 0
      : backoffMs(task.attempts, rules.backoff, rules.random(), failure.retryAfterMs);
    await turn.jobs.updateTask(task.id, {
      status: 'pending',
      dueAtMs: rules.clock.now() + wait,
      leaseUntilMs: null,
      published: false,
      error,
    });
  } else {
    await taskResults[task.type].settleFailure?.(context, task, error);
    await discardResults(context, task);
    await endTask(context, task, { status: 'failed', error });
  }
}
