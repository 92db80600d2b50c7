import { Gauge, type Registry } from 'prom-client';
import type { Health } from '../ports/health.js';

/** Adds a gauge per health check of `/readyz`. The checks run on each scrape. */
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
