import { Gauge, type Registry } from 'prom-client';
import type { Health } from '../ports/health.js';

/** Adds a gauge with a label for each health check of `/readyz`. Each scrape runs the checks. */
export function addDependencies(registers: Registry[], health: () => Promise<Record<string, Health>>): void {
  new Gauge({
    name: 'dependency_up',
    help: 'Whether a health check of `/readyz` passes (1 or 0), by name',
    labelNames: ['dependency'],
    registers,
    async collect() {
      for (const [dependency, { ok }] of Object.entries(await health())) this.set({ dependency }, ok ? 1 : 0);
    },
  });
}
