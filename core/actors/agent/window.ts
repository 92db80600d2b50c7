import { type TaskMessage, WIRE_VERSION } from '../../jobs/wire.js';
import type { TracedTask } from '../../ports/store.port.js';
import type { AgentTurnContext } from './behaviour.js';

/**
 * Lets due tasks into the agent's window, as far as there is room: at most `window` of an agent's tasks are on their way at once, so
 * that one agent with ten thousand pages starves nobody. Each admitted task starts a new attempt. To be called at the end of every turn that
 * made, ended or put off a task.
 */
export async function admit({ turn, rules, admitted }: AgentTurnContext): Promise<void> {
  const now = rules.clock.now();
  const room = Math.max(0, rules.window - (await turn.jobs.outstanding()));
  const waiting = await turn.jobs.waiting(room + 1);
  const due = waiting.slice(0, room).filter((task) => task.dueAtMs <= now);
  for (const task of due) {
    await turn.jobs.updateTask(task.id, {
      status: 'queued',
      attempts: task.attempts + 1,
      dueAtMs: now,
      leaseUntilMs: null,
      published: false,
    });
  }
  admitted(due.map((task) => taskMessage({ ...task, attempts: task.attempts + 1 })));
  const next = waiting[due.length];
  const nextDueAtMs = due.length < room && next ? next.dueAtMs : null;
  if (turn.agent.nextDueAtMs !== nextDueAtMs) turn.change({ nextDueAtMs });
}

/** The attempt that runs now, as it goes to a worker. */
export const taskMessage = (task: TracedTask): TaskMessage =>
  ({
    v: WIRE_VERSION,
    taskId: task.id,
    jobId: task.jobId,
    agentId: task.agentId,
    attempt: task.attempts,
    type: task.type,
    payload: task.payload,
    requestId: task.requestId,
  }) as TaskMessage;
