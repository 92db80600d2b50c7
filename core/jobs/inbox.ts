import type { Agents } from '../actors/agent/agents.js';
import { type Owner, ownerOf } from '../fairness/owner.js';
import { timeSlices } from '../fairness/time-slices.js';
import { notationOf } from '../knowledge/text/notation.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Indexer } from '../ports/indexer.port.js';
import type { Log } from '../ports/log.port.js';
import type { Storage } from '../ports/storage.port.js';
import { AgentGone } from '../ports/store/store-errors.js';
import type { TaskSweeps, UploadSweeps } from '../ports/store/sweeps.js';
import type { Tracing } from '../ports/tracing.port.js';
import { readIndexed } from '../retrieval/index-text.js';
import { type DeliveryEvent, decodeDelivery } from '../tasks/delivery-envelope.js';
import { decodeExtraction, resultRef } from '../tasks/extraction-object.js';
import { TaskFailure } from '../tasks/failures.js';
import { idsOfEvent } from '../tasks/task-ids.js';
import type { Outcome, TaskEvent } from '../tasks/wire.js';
import { attemptIdentity, isTaskEvent } from '../tasks/wire-guards.js';
import { traced } from '../tracing/trail.js';

interface InboxOptions {
  agents: Agents;
  tasks: Pick<TaskSweeps, 'extendLease'>;
  uploads: Pick<UploadSweeps, 'addDiscards'>;
  storage: Storage;
  indexer: Indexer;
  /** Handles events of webhook deliveries. */
  deliveries: (event: DeliveryEvent) => Promise<void>;
  clock: Clock;
  leaseMs: number;
  tracing?: Tracing | null;
  log: Log;
}

/**
 * Returns a handler that passes worker events to their agents. The handler rejects if the turn fails (database
 * unavailable, mailbox full), so that the queue redelivers the event.
 */
export function createInbox({
  agents,
  tasks,
  uploads,
  storage,
  indexer,
  deliveries,
  clock,
  leaseMs,
  tracing = null,
  log,
}: InboxOptions): (event: TaskEvent) => Promise<void> {
  async function receive(event: TaskEvent): Promise<void> {
    switch (event.kind) {
      case 'started':
        await agents.send(event.agentId, { kind: 'taskStarted', event });
        return;
      case 'alive':
        await tasks.extendLease(event.taskId, event.attempt, clock.now() + leaseMs, event.progress);
        return;
      case 'succeeded':
        await succeeded(event);
        return;
      default:
        log.info(
          {
            worker: event.worker,
            failure: event.kind === 'failed' ? event.failure : event.reason,
          },
          'attempt failed',
        );
        await agents.send(event.agentId, { kind: 'taskFailed', event });
    }
  }

  async function succeeded({ outcome, ...event }: Extract<TaskEvent, { kind: 'succeeded' }>): Promise<void> {
    if (outcome.kind === 'embedded') return embedded(event, outcome);
    // Only webhook deliveries have this outcome.
    if (outcome.kind === 'answered') return;
    if (outcome.kind !== 'stored') {
      const known = outcome.kind === 'extracted' ? await indexed(outcome, ownerOf(event)) : outcome;
      await agents.send(event.agentId, {
        kind: 'taskSucceeded',
        event: { ...event, outcome: known, ref: null },
      });
      return;
    }
    const { ref, contentHash } = outcome;
    const bytes = await storage.get(ref);
    // An earlier delivery of this event was applied, and the object is gone.
    if (bytes === null) return;
    const extraction = await decodeExtraction(bytes);
    if (extraction === null) {
      await receive({ ...event, kind: 'failed', failure: new TaskFailure('RESULT_DAMAGED').failure });
      return;
    }
    const extracted = await indexed({ kind: 'extracted', contentHash, extraction }, ownerOf(event));
    await agents.send(event.agentId, { kind: 'taskSucceeded', event: { ...event, outcome: extracted, ref } });
  }

  async function embedded(
    event: Omit<Extract<TaskEvent, { kind: 'succeeded' }>, 'outcome'>,
    { ref, dimensions }: Extract<Outcome, { kind: 'embedded' }>,
  ): Promise<void> {
    const vectors = await storage.get(ref);
    // An earlier delivery of this event was applied, and the object is gone.
    if (vectors === null) return;
    const outcome = { kind: 'embedded' as const, dimensions, vectors };
    await agents.send(event.agentId, { kind: 'taskSucceeded', event: { ...event, outcome, ref } });
  }

  /** Returns the outcome with the worker's index, or with a new index if the worker runs another analyser version. */
  async function indexed({ extraction, ...rest }: Extract<Outcome, { kind: 'extracted' }>, owner: Owner) {
    const { title, metadata, text, isInterstitial = false, visit } = extraction;
    const pause = timeSlices();
    const content = readIndexed(extraction) ?? (await indexer.index(text, owner, notationOf(metadata)));
    await pause();
    return {
      ...rest,
      extraction: { title, metadata, isInterstitial, ...content, ...(visit ? { visit } : {}) },
    };
  }

  /** Checks the storage path, so that a forged event cannot make the API read or delete another object. */
  const isOwn = ({ taskId, attempt, ...event }: TaskEvent): boolean =>
    event.kind !== 'succeeded' ||
    !('ref' in event.outcome) ||
    event.outcome.ref === resultRef(taskId, attempt);

  /** Returns whether the attempt has ended, so that the worker may have stored a result. */
  const endsAttempt = (event: TaskEvent): boolean =>
    event.kind === 'succeeded' ? 'ref' in event.outcome : event.kind === 'failed' || event.kind === 'dead';

  async function take(event: TaskEvent): Promise<void> {
    const ofDelivery = decodeDelivery(event);
    if (ofDelivery) return deliveries(ofDelivery);
    try {
      await receive(event);
    } catch (error) {
      // The agent was deleted: discard the result and delete its object.
      if (!(error instanceof AgentGone)) throw error;
      if (endsAttempt(event))
        await uploads.addDiscards([resultRef(event.taskId, event.attempt)], seconds(clock.now()));
    }
  }

  return async (event) => {
    if (!isTaskEvent(event) || !isOwn(event)) {
      log.error({ event: attemptIdentity(event) }, 'dropped a message from the queue that is not an event');
      return;
    }
    // Heartbeats are too frequent for spans.
    const span =
      event.kind === 'alive'
        ? null
        : (tracing?.begin(`receive ${event.kind}`, 'consumer', event.traceparent) ?? null);
    await traced(idsOfEvent(event), span, () => take(event));
  };
}
