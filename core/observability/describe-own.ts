import type { Registry } from 'prom-client';

export interface MetricDescription {
  name: string;
  type: string;
  help: string;
  labels: readonly string[];
}

/** The metrics of a registry but for the `foreign` ones, which its library brings. */
export const describeOwn = (registry: Registry, foreign: ReadonlySet<string>): MetricDescription[] =>
  registry
    .getMetricsAsArray()
    .filter(({ name }) => !foreign.has(name))
    .map((metric) => {
      const { name, type, help, labelNames = [] } = metric as typeof metric & { labelNames?: string[] };
      return { name, type: String(type), help, labels: labelNames };
    });
