import { type Agents, createAgents } from '../core/actors/agent/agents.js';
import type { AgentRules } from '../core/actors/agent/rules.js';
import { silentLog } from '../core/ports/log.port.js';
import { entitlements } from '../core/workspaces/entitlements.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';

/** Throws PLAN_UNKNOWN. */
export const entitlementsIn =
  ({ plans }: Installation): AgentRules['entitlementsOf'] =>
  ({ plan, overrides }) => {
    const known = plans.get(plan);
    if (known) return entitlements(known, overrides);
    throw new CliError('PLAN_UNKNOWN', `The workspace is on a plan "${plan}" that is not configured.`);
  };

/**
 * Creates the agents' actors in this process with the server's rules. The server publishes tasks that their turns
 * admit.
 */
export function ownAgents(installation: Installation): Agents {
  const { settings, store, clock } = installation;
  const { jobs, actors } = settings;
  return createAgents({
    actors: {
      maxActive: 1,
      idleMs: actors.idleSeconds * 1000,
      mailboxCapacity: actors.mailboxCapacity,
      clock,
    },
    turns: store.turns,
    rules: {
      clock,
      entitlementsOf: entitlementsIn(installation),
      window: jobs.windowPerAgent,
      windowOfAll: jobs.window,
      maxAttempts: jobs.maxAttempts,
      backoff: { baseMs: jobs.backoffBaseMs, maxMs: jobs.backoffMaxMs },
      leaseMs: jobs.stalledAfterSeconds * 1000,
      openUploadBytes: settings.uploads.openBytes,
      site: settings.crawl,
      random: Math.random,
    },
    dispatch: () => {},
    log: silentLog,
  });
}
