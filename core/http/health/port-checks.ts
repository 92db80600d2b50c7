import type { Health } from '../../ports/health.js';
import { kindNames, type PluginKind, type Ports } from '../../ports/plugin.port.js';
import type { Feeding } from '../../retrieval/feed/feeding.js';

type Check = () => Promise<Health>;

/** Well when both are; the second is asked when the first is well. */
export const bothWell =
  (first: Check, second: Check): Check =>
  async () => {
    const health = await first();
    return health.ok ? second() : health;
  };

/** Health checks of the plugins. A search engine with a copy of its own must also be up to date. */
export function portChecks(ports: Ports, feeding: Pick<Feeding, 'health'> | null): Record<PluginKind, Check> {
  const checks = Object.fromEntries(kindNames.map((kind) => [kind, () => ports[kind].health()])) as Record<
    PluginKind,
    Check
  >;
  if (feeding === null) return checks;
  return { ...checks, retrieval: bothWell(checks.retrieval, async () => feeding.health()) };
}
