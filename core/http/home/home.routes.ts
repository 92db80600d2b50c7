import { isMailOn } from '../../agent-settings/notification.js';
import { isShared } from '../../agent-settings/share.js';
import { isResolved } from '../../conversations/questions.js';
import type { QuestionFilter } from '../../ports/store/conversations/questions.js';
import type { AgentState } from '../../ports/store/rows.js';
import { limits } from '../../schemas/limits.js';
import { ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { eachDay, periodOf, secondsOf } from '../statistics/period.js';
import { presentStatistics } from '../statistics/statistics.presenter.js';
import { type ChecklistItem, checklist, homeSchema } from './home.schema.js';

/** Maximum number of questions to count. A larger number says no more to a reader. */
const MOST = 100;

/** Returns the number of questions that are not resolved. */
async function openQuestions(
  { questions, clock }: Services,
  { id, lastTrainedAt }: AgentState,
  kind: Pick<QuestionFilter, 'outcome' | 'feedback'>,
): Promise<number> {
  const period = periodOf({}, clock.now(), { days: limits.openQuestions.days });
  const page = { limit: MOST, before: null };
  const groups = await questions.page(id, { ...kind, ...secondsOf(period) }, page);
  return groups.slice(0, MOST).filter((group) => !isResolved(group, lastTrainedAt)).length;
}

export const homeRoutes: Route[] = [
  route({
    id: 'getHome',
    method: 'GET',
    path: '/agents/:agentId/home',
    extension: true,
    scope: 'agentSettings',
    permission: 'view',
    summary: 'Read what an agent needs until it is live, and what needs a person today',
    description: 'The days are those of `getStatistics`, for the last 30.',
    responses: { 200: homeSchema },
    async handle({ agent, settings, caller }, services) {
      const { statistics, failures, reads, channels, webhooks, mail, clock } = services;
      const longest = periodOf({}, clock.now(), { days: limits.statistics.days });
      const shown = periodOf({}, clock.now(), { days: limits.statistics.defaultDays });
      const [counts, training, account, hooks, unanswered, negative, failed, waiting] = await Promise.all([
        statistics.days(agent.id, longest.from, longest.to),
        reads.training(caller.workspaceId, agent.id),
        channels.connection(agent.id),
        webhooks.list(caller.workspaceId),
        openQuestions(services, agent, { outcome: 'unanswered', feedback: null }),
        openQuestions(services, agent, { outcome: null, feedback: 'negative' }),
        failures.count(agent.id),
        statistics.waiting(agent.id),
      ]);
      const has = (counter: string): boolean =>
        counts.some((count) => count.counter === counter && count.n > 0);
      const done: Record<ChecklistItem, boolean> = {
        sources: (training?.documentCount ?? 0) > 0,
        answer: has('answered'),
        published: isShared(settings) || account?.status === 'connected' || has('visitors'),
        notified: hooks.length > 0 || (mail !== null && isMailOn(settings, 'dailyEmails')),
      };
      const days = counts.filter(({ day }) => day >= shown.from);
      return ok({
        checklist: checklist.map((id) => ({ id, done: done[id] })),
        today: { unanswered, negative, failures: failed, waiting },
        days: presentStatistics(eachDay(shown), days, [], { durations: [], waits: [] }).days,
      });
    },
  }),
];
