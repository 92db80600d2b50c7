import { limits } from '../../schemas/limits.js';
import { ok, type Route, route } from '../route.js';
import { eachDay, periodOf } from './period.js';
import { presentStatistics } from './statistics.presenter.js';
import { statisticsQuery, statisticsSchema } from './statistics.schema.js';

export const statisticsRoutes: Route[] = [
  route({
    id: 'getStatistics',
    method: 'GET',
    path: '/agents/:agentId/statistics',
    extension: true,
    scope: 'agent',
    permission: 'view',
    summary: 'Count the questions of the agent by day, with the sources that it cited most',
    description:
      'Counts questions of all channels. An answer counts on the day on which it ended. Deleting a conversation does not change the numbers. After a retry, the new answer counts in place of the old one.',
    query: statisticsQuery,
    responses: { 200: statisticsSchema },
    async handle({ agent, query }, { statistics, clock }) {
      const period = periodOf(query, clock.now(), {
        days: limits.statistics.defaultDays,
        most: limits.statistics.days,
      });
      const { from, to } = period;
      const [counts, topSources, durations, waits] = await Promise.all([
        statistics.days(agent.id, from, to),
        statistics.topSources(agent.id, from, to, limits.statistics.sources),
        statistics.durations(agent.id, from, to),
        statistics.waits(agent.id, from, to),
      ]);
      return ok(presentStatistics(eachDay(period), counts, topSources, { durations, waits }));
    },
  }),
];
