import { Gauge, type Registry } from 'prom-client';

/** Adds a gauge that is always 1, so that dashboards can show and join the version. */
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
