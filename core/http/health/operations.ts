import type { Middleware } from 'koa';
import type { Metrics } from '../../observability/metrics.js';
import type { Health } from '../../ports/health.js';
import { type PluginKind, pluginKinds } from '../../ports/plugin.port.js';
import { inTime } from '../../ports/time-limit.js';

export interface Operational {
  /** What the process works with, by name. */
  checks: Partial<Record<'database' | PluginKind | 'installation', () => Promise<Health>>>;
  /** False from the moment the process was asked to stop. */
  accepting: () => boolean;
  metrics: Pick<Metrics, 'print' | 'contentType'>;
}

const CHECK_MS = 3000;

/** `/livez`, `/readyz` and `/metrics`: for those who run the service, outside of the API and without a key. */
export function operations({ checks, accepting, metrics }: Operational): Middleware {
  async function ready(): Promise<{ ready: boolean; checks: Record<string, Health> }> {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await healthOf(check)] as const),
    );
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

/** What else is not well is told, and the process stays in service. */
const isEssential = (name: string): boolean =>
  name !== 'installation' &&
  !Object.entries(pluginKinds).some(([kind, { essential }]) => kind === name && !essential);

/** A check that hangs is a check that failed. */
async function healthOf(check: () => Promise<Health>): Promise<Health> {
  const checked = check().catch((error: Error): Health => ({ ok: false, reason: error.message }));
  return inTime(CHECK_MS, checked, () => ({ ok: false, reason: `no answer within ${CHECK_MS} ms` }));
}
