import type { TracedTask } from '../../ports/store/rows.js';
import { roomFor } from '../../tasks/share.js';
import { type TaskMessage, WIRE_VERSION } from '../../tasks/wire.js';
import type { AgentTurnContext } from './handler.js';

/** An agent that helps itself leaves the rest of its workspace's share to the line, where the longest waiting agent is first. */
const MODESTY = 2;

/**
 * Lets due tasks into the windows, as far as there is room: at most `window` of an agent's tasks are on their way at once, and of its workspace
 * no more than are left for others in the window of all. So neither an agent with ten thousand pages nor a workspace with a thousand agents starves
 * anybody. Each admitted task starts a new attempt. To be called at the end of every turn that made, ended or put off a task; `places` are given to
 * an agent whose turn has come in the line (`due` sweep).
 */
export async function admit(context: AgentTurnContext, places?: number): Promise<void> {
  const { turn, rules, admitted } = context;
  const now = rules.clock.now();
  const ownRoom = Math.max(0, rules.window - (await turn.jobs.outstanding()));
  const waiting = await turn.jobs.waiting(ownRoom + 1);
  const due = waiting.slice(0, ownRoom).filter((task) => task.dueAtMs <= now);
  const chosen = due.length === 0 ? [] : due.slice(0, await sharedRoom(context, places));
  for (const task of chosen) {
    await turn.jobs.updateTask(task.id, {
      status: 'queued',
      attempts: task.attempts + 1,
      dueAtMs: now,
      leaseUntilMs: null,
      published: false,
    });
  }
  admitted(chosen.map((task) => taskMessage({ ...task, attempts: task.attempts + 1 })));
  const next = chosen.length < ownRoom ? waiting[chosen.length] : undefined;
  const since = turn.agent.nextDueAtMs;
  // Who got nothing keeps its place in the line, and who got something goes to its end.
  const place = chosen.length === 0 && since !== null ? Math.min(since, now) : now;
  const nextDueAtMs = next ? Math.max(next.dueAtMs, place) : null;
  if (since !== nextDueAtMs) turn.change({ nextDueAtMs });
}

/** What the workspace may have more of the window that all share. */
async function sharedRoom({ turn, rules }: AgentTurnContext, places?: number): Promise<number> {
  const { workspace, all } = await turn.jobs.underWay();
  const share = { held: workspace, free: rules.windowOfAll - all, spare: rules.windowOfAll };
  return places === undefined ? roomFor(share, MODESTY) : Math.min(places, roomFor(share));
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
  }) as TaskMessage;
