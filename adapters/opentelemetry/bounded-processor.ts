import { TraceFlags } from '@opentelemetry/api';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Log } from '../../core/ports/log.port.js';

interface BoundedOptions {
  exporter: SpanExporter;
  /** Maximum number of queued spans; more are dropped, so that an unreachable receiver affects nothing else. */
  mostWaiting: number;
  batch: number;
  /** Maximum time that a span waits for its batch. */
  sendMs: number;
  log: Log;
}

/** Sends spans in batches. Logs when it starts to drop spans, and their number when sending resumes. */
export function boundedProcessor({
  exporter,
  mostWaiting,
  batch,
  sendMs,
  log,
}: BoundedOptions): SpanProcessor {
  let waiting = 0;
  let dropped = 0;

  function tellDropped(): void {
    if (dropped > 0) log.warn({ dropped }, 'spans were dropped: more ended than could be sent');
    dropped = 0;
  }

  const batches = new BatchSpanProcessor({
    exporter: {
      export(spans, done) {
        waiting -= spans.length;
        tellDropped();
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
      if (dropped === 0) log.warn({ waiting }, 'more spans end than can be sent: further ones are dropped');
      dropped += 1;
    },
    forceFlush: () => batches.forceFlush(),
    async shutdown() {
      await batches.shutdown();
      tellDropped();
    },
  };
}
