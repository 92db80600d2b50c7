import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../../core/ports/log.port.js';
import { aside } from '../../core/tracing/trail.js';

/**
 * Wraps an exporter: logs once when spans are lost, and once when they can be sent again. The log lines have no ids,
 * because a batch contains several traces.
 */
export function loggingExporter(exporter: SpanExporter, url: string, log: Log): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      aside(() =>
        exporter.export(spans, (result) => {
          if (result.code === ExportResultCode.SUCCESS) {
            if (lost > 0) log.info({ url, lost }, 'spans can be sent again');
            lost = 0;
          } else {
            if (lost === 0)
              log.warn(
                { url, reason: result.error?.message },
                'spans cannot be sent; they are lost until the receiver is back',
              );
            lost += spans.length;
          }
          done(result);
        }),
      );
    },
    shutdown: () => exporter.shutdown(),
  };
}
