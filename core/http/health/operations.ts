import type { Middleware } from 'koa';
import type { Metrics } from '../../observability/metrics.js';
import type { Health } from '../../ports/health.js';
import { type PluginKind, pluginKinds } from '../../ports/plugin.port.js';
import { recentHealth } from './recent-health.js';

export interface Operational {
  /** What the process works with, by name. */
  checks: Partial<Record<'database' | PluginKind | 'installation', () => Promise<Health>>>;
  /** False from the moment the process was asked to stop. */
  accepting: () => boolean;
  metrics: Pick<Metrics, 'print' | 'contentType'>;
}

/** `/livez`, `/readyz` and `/metrics`: for those who run the service, outside of the API and without a key. */
export function operations({ checks, accepting, metrics }: Operational): Middleware {
  const healths = Object.entries(checks).map(([name, check]) => [name, recentHealth(check)] as const);

  async function ready(): Promise<{ ready: boolean; checks: Record<string, Health> }> {
    const results = await Promise.all(healths.map(async ([name, health]) => [name, await health()] as const));
    const answers = {
      ...Object.fromEntries(results),
      process: accepting() ? OK : { ok: false as const, reason: 'shutting down' },
    };
    return {
      ready: Object.entries(answers).every(([name, { ok }]) => ok || !isEssential(name)),
      checks: answers,
    };
  }

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    switch (ctx.path) {
      case '/livez':
        ctx.body = { status: 'ok' };
        return;
      case '/readyz': {
        const report = await ready();
        ctx.status = report.ready ? 200 : 503;
        ctx.body = { status: report.ready ? 'ready' : 'not ready', checks: report.checks };
        return;
      }
      case '/metrics':
        ctx.body = await metrics.print();
        ctx.set('content-type', metrics.contentType);
        return;
      default:
        return next();
    }
  };
}

const OK: Health = { ok: true };

/** Other parts that are not well are shown, and the process stays in service. */
const isEssential = (name: string): boolean =>
  name !== 'installation' &&
  !Object.entries(pluginKinds).some(([kind, { essential }]) => kind === name && !essential);
