import type { Middleware } from 'koa';
import type { Metrics } from '../../observability/metrics.js';
import { recent } from '../../observability/recent.js';
import type { Health } from '../../ports/health.js';

export interface Operational {
  /** Results of the health checks, by name. */
  health: () => Promise<Record<string, Health>>;
  /** Name of the check that must succeed for the process to be ready. If another check fails, the process is degraded. */
  essential: string;
  /** False once the process has been asked to stop. */
  accepting: () => boolean;
  metrics: Pick<Metrics, 'print' | 'contentType'> | null;
}

interface Readiness {
  status: 'ready' | 'degraded' | 'not ready';
  checks: Record<string, Health>;
}

/** Minimum time between two collections of the metrics, in milliseconds. Each costs tens of milliseconds. */
const SCRAPE_MS = 1000;

const paths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

export const isOperationsPath = (path: string): boolean => paths.has(path);

/** Serves `/livez`, `/readyz` and, unless `metrics` is null, `/metrics`, without a key. */
export function operations({ health, essential, accepting, metrics }: Operational): Middleware {
  const print = metrics && recent(() => metrics.print(), { freshMs: SCRAPE_MS, usableMs: SCRAPE_MS });

  /** A degraded process stays ready. The same part fails in all processes, so a load balancer would have none left. */
  async function readiness(): Promise<Readiness> {
    const process: Health = accepting() ? { ok: true } : { ok: false, reason: 'shutting down' };
    const checks: Record<string, Health> = { ...(await health()), process };
    if (!process.ok || !checks[essential]?.ok) return { status: 'not ready', checks };
    return { status: Object.values(checks).every(({ ok }) => ok) ? 'ready' : 'degraded', checks };
  }

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    switch (ctx.path) {
      case '/livez':
        ctx.body = { status: 'ok' };
        return;
      case '/readyz': {
        const report = await readiness();
        ctx.status = report.status === 'not ready' ? 503 : 200;
        ctx.body = report;
        return;
      }
      case '/metrics':
        if (!metrics || !print) return next();
        ctx.body = await print();
        ctx.set('content-type', metrics.contentType);
        return;
      default:
        return next();
    }
  };
}
