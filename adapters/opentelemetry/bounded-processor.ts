import { TraceFlags } from '@opentelemetry/api';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Log } from '../../core/ports/log.port.js';

interface BoundedOptions {
  exporter: SpanExporter;
  /**
   * Maximum number of queued spans. Further spans are dropped, so that an unreachable receiver affects nothing else.
   */
  mostWaiting: number;
  batch: number;
  /** Maximum time that a span waits for its batch, in milliseconds. */
  sendMs: number;
  log: Log;
}

/**
 * Returns a processor that sends spans in batches. It logs when it starts to drop spans, and their number when
 * sending resumes.
 */
export function boundedProcessor({
  exporter,
  mostWaiting,
  batch,
  sendMs,
  log,
}: BoundedOptions): SpanProcessor {
  let waiting = 0;
  let dropped = 0;

  function logDropped(): void {
    if (dropped > 0) log.warn({ dropped }, 'spans were dropped because they could not be sent fast enough');
    dropped = 0;
  }

  const batches = new BatchSpanProcessor({
    exporter: {
      export(spans, done) {
        waiting -= spans.length;
        logDropped();
        exporter.export(spans, done);
      },
      shutdown: () => exporter.shutdown(),
    },
    maxQueueSize: mostWaiting,
    maxExportBatchSize: batch,
    scheduledDelayMillis: sendMs,
  });
  return {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (waiting < mostWaiting) {
        waiting += 1;
        batches.onEnd(span);
        return;
      }
      if (dropped === 0) log.warn({ waiting }, 'spans cannot be sent fast enough; dropping further spans');
      dropped += 1;
    },
    forceFlush: () => batches.forceFlush(),
    async shutdown() {
      await batches.shutdown();
      logDropped();
    },
  };
}
