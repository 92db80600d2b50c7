import { seconds } from '../../ports/clock.port.js';
import type { JobRow } from '../../ports/store.port.js';
import type { AgentTurnContext, Handler } from './behaviour.js';
import { crawlTask, openJob } from './job-opening.js';

/** One task for each indexed page; no job when there is none. */
async function renewPages(context: AgentTurnContext, requestId: string | null): Promise<JobRow | null> {
  const pages = await context.turn.documents.pages();
  if (pages.length === 0) return null;
  const tasks = pages.flatMap((page) => (page.url === null ? [] : [crawlTask(page.url, page)]));
  return openJob(context, { type: 'retrain', requestId, tasks });
}

export const retrain: Handler<'retrain'> = async (context, { requestId }) => ({
  job: await renewPages(context, requestId),
});

export const autoRetrain: Handler<'autoRetrain'> = async (context, { intervalSeconds }) => {
  const { turn, rules } = context;
  const now = seconds(rules.clock.now());
  const { retrainBaseAt } = turn.agent;
  // Another process came first, or it was turned off.
  if (retrainBaseAt === null || retrainBaseAt > now - intervalSeconds) return { job: null };
  turn.change({ retrainBaseAt: now });
  // The one before is not done yet: a second one would fetch the same pages again.
  if (await turn.jobs.retraining()) return { job: null };
  const { features } = rules.entitlementsOf(await turn.workspace());
  return { job: features.autoRetrain ? await renewPages(context, null) : null };
};
