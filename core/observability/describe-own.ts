import type { Registry } from 'prom-client';

export interface MetricDescription {
  name: string;
  type: string;
  help: string;
  labels: readonly string[];
}

/** Describes the metrics of a registry, except the `foreign` metrics that the metrics library adds. */
export const describeOwn = (registry: Registry, foreign: ReadonlySet<string>): MetricDescription[] =>
  registry
    .getMetricsAsArray()
    .filter(({ name }) => !foreign.has(name))
    .map((metric) => {
      const { name, type, help, labelNames = [] } = metric as typeof metric & { labelNames?: string[] };
      return { name, type: String(type), help, labels: labelNames };
    });
