import type { Health } from '../../ports/health.js';
import { byKind, type PluginKind, type Ports } from '../../ports/plugin.port.js';
import type { Feeding } from '../../retrieval/feed/feeding.js';

type Check = () => Promise<Health>;

/** Runs the second check only if the first succeeds. */
const bothWell =
  (first: Check, second: Check): Check =>
  async () => {
    const health = await first();
    return health.ok ? second() : health;
  };

/** Returns the health checks of the plugins. An external search engine must also be up to date. */
export function portChecks(ports: Ports, feeding: Pick<Feeding, 'health'> | null): Record<PluginKind, Check> {
  const checks = byKind((kind) => () => ports[kind].health());
  if (feeding === null) return checks;
  return { ...checks, retrieval: bothWell(checks.retrieval, async () => feeding.health()) };
}
