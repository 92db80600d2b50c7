import { installedVersion } from '../config/installation.js';
import type { Settings } from '../config/settings.schema.js';
import type { Log } from '../core/ports/log.port.js';
import type { Tracing } from '../core/ports/tracing.port.js';

/** Starts tracing. Returns null if it is off, without loading its library. */
export async function openTracing(
  { tracing }: Settings,
  processName: string,
  log: Log,
): Promise<Tracing | null> {
  const { otlpUrl: url, sampler, sampleRatio: ratio } = tracing;
  if (url === null) return null;
  const { startTracing } = await import('../adapters/opentelemetry/index.js');
  log.info({ url, sampler, ratio }, 'sending traces');
  return startTracing({ url, sampler, ratio, processName, version: installedVersion(), log });
}
