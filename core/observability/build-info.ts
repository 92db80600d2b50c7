import { Gauge, type Registry } from 'prom-client';

/** Adds an info metric: a gauge that is always 1 and whose labels hold the versions, for joins in dashboards. */
export function addBuildInfo(registers: Registry[], version: string): void {
  const labels = { version, node: process.versions.node };
  const info = new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels are the versions of Cadre and Node',
    labelNames: ['version', 'node'],
    registers,
  });
  info.set(labels, 1);
}
