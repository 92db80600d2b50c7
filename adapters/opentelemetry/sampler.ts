import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SamplerName } from '../../core/ports/tracing.port.js';

/** Returns the sampler with this name of OpenTelemetry. `ratio` is the share of traces, from 0 to 1. */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  const root = name.slice('parentbased_'.length) as 'always_on' | 'always_off' | 'traceidratio';
  return new ParentBasedSampler({ root: samplerOf(root, ratio) });
}
