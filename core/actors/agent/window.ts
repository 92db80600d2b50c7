import { roomFor } from '../../fairness/shares.js';
import type { AgentTurn, UnderWay } from '../../ports/store/agents/agent-turn.js';
import type { Sites } from '../../ports/store/agents/sites.js';
import type { TracedTask } from '../../ports/store/rows.js';
import { type TaskMessage, WIRE_VERSION } from '../../tasks/wire.js';
import type { AgentRules } from './rules.js';

/**
 * When an agent admits its own tasks, it leaves part of the workspace's share to the `due` sweep, which serves
 * the agent that has waited longest.
 */
const RESERVE_FACTOR = 2;

/**
 * Admits due tasks within the limits: at most `window` per agent, and per workspace no more than it leaves free for others.
 * So neither an agent with ten thousand pages nor a workspace with a thousand agents starves the rest. Each admitted task
 * starts a new attempt. `asked`: the argument of each call of `admit` in this turn. Returns the attempts to send to the
 * queue after the commit.
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
  // Read one task more than the workspace's share allows, because that task sets the agent's `nextDueAtMs`.
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
  // An agent that got no task keeps its position in the queue of agents; otherwise it moves to the end.
  const place = chosen.length === 0 && since !== null ? Math.min(since, now) : now;
  const nextDueAtMs = next ? Math.max(next.dueAtMs, place) : null;
  if (since !== nextDueAtMs) turn.change({ nextDueAtMs });
  const traced = await turn.jobs.traced(chosen);
  return taskMessages(
    traced.map((task) => ({ ...task, attempts: task.attempts + 1 })),
    turn.sites,
  );
}

/** Returns how many more tasks the workspace may have in the shared window. */
function sharedRoom({ workspace, all }: UnderWay, rules: AgentRules, asked: (number | undefined)[]): number {
  const share = { held: workspace, free: rules.windowOfAll - all, spare: rules.windowOfAll };
  const rooms = asked.map((places) =>
    places === undefined ? roomFor(share, RESERVE_FACTOR) : Math.min(places, roomFor(share)),
  );
  return Math.max(...rooms);
}

/** Returns the wire messages of the current attempts. Pages of sites get the robots.txt of their reading. */
export async function taskMessages(
  tasks: readonly TracedTask[],
  sites: Pick<Sites, 'robots'>,
): Promise<TaskMessage[]> {
  const readings = tasks.flatMap(({ type, jobId }) => (type === 'read_site_page' ? jobId : []));
  const robots = await sites.robots([...new Set(readings)]);
  return tasks.map((task) => {
    const known = task.type === 'read_site_page' ? robots.get(task.jobId) : undefined;
    return taskMessage(known ? { ...task, payload: { ...task.payload, robots: known } } : task);
  });
}

const taskMessage = (task: TracedTask): TaskMessage =>
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
