import { roomFor } from '../../fairness/shares.js';
import type { AgentTurn, UnderWay } from '../../ports/store/agent-turn.js';
import type { TracedTask } from '../../ports/store/rows.js';
import { type TaskMessage, WIRE_VERSION } from '../../tasks/wire.js';
import type { AgentRules } from './rules.js';

/**
 * An agent that admits its own tasks leaves the rest of its workspace's share to the `due` sweep, which
 * serves the agent that has waited longest.
 */
const RESERVE_FACTOR = 2;

/**
 * Admits due tasks, as far as the windows have room. An agent has at most `window` tasks under way, and its
 * workspace no more than it leaves free for others in the window of all. So neither an agent with ten
 * thousand pages nor a workspace with a thousand agents starves anybody. Each admitted task starts a new
 * attempt. `asked` has one entry for each call of `admit` in this turn: the places that the sweep gave, or
 * undefined. Resolves to the attempts to send to the queue once the turn has committed.
 */
export async function fillWindow(
  turn: AgentTurn,
  rules: AgentRules,
  asked: (number | undefined)[],
): Promise<TaskMessage[]> {
  const now = rules.clock.now();
  const underWay = await turn.jobs.underWay();
  const ownRoom = Math.max(0, rules.window - underWay.agent);
  const room = Math.min(ownRoom, sharedRoom(underWay, rules, asked));
  // Where its own window is not what limits, the agent waits in the line with the first that got no place.
  const waiting = ownRoom === 0 ? [] : await turn.jobs.waiting(Math.min(ownRoom, room + 1));
  const chosen = waiting.slice(0, room).filter((task) => task.dueAtMs <= now);
  for (const task of chosen) {
    await turn.jobs.updateTask(task.id, {
      status: 'queued',
      attempts: task.attempts + 1,
      dueAtMs: now,
      leaseUntilMs: null,
      published: false,
    });
  }
  const next = chosen.length < ownRoom ? waiting[chosen.length] : undefined;
  const since = turn.agent.nextDueAtMs;
  // An agent that got nothing keeps its place in the line; one that got something goes to its end.
  const place = chosen.length === 0 && since !== null ? Math.min(since, now) : now;
  const nextDueAtMs = next ? Math.max(next.dueAtMs, place) : null;
  if (since !== nextDueAtMs) turn.change({ nextDueAtMs });
  const traced = await turn.jobs.traced(chosen);
  return traced.map((task) => taskMessage({ ...task, attempts: task.attempts + 1 }));
}

/** How much more the workspace may have of the window that all share. */
function sharedRoom({ workspace, all }: UnderWay, rules: AgentRules, asked: (number | undefined)[]): number {
  const share = { held: workspace, free: rules.windowOfAll - all, spare: rules.windowOfAll };
  const rooms = asked.map((places) =>
    places === undefined ? roomFor(share, RESERVE_FACTOR) : Math.min(places, roomFor(share)),
  );
  return Math.max(...rooms);
}

/** The attempt that runs now, as it goes to a worker. */
export const taskMessage = (task: TracedTask): TaskMessage =>
  ({
    v: WIRE_VERSION,
    taskId: task.id,
    jobId: task.jobId,
    agentId: task.agentId,
    workspaceId: task.workspaceId,
    attempt: task.attempts,
    type: task.type,
    payload: task.payload,
    requestId: task.requestId,
    ...(task.traceparent === null ? {} : { traceparent: task.traceparent }),
  }) as TaskMessage;
