import {
  SpanKind as Kinds,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { within } from '../../core/fairness/time-limit.js';
import type { Log } from '../../core/ports/log.port.js';
import type { SamplerName, Span, SpanKind, Tracing } from '../../core/ports/tracing.port.js';
import { boundedProcessor } from './bounded-processor.js';
import { loggingExporter } from './logging-exporter.js';
import { samplerOf } from './sampler.js';

export interface TracingOptions {
  /** Origin or base path of an OTLP/HTTP receiver; `/v1/traces` is appended. */
  url: string;
  sampler: SamplerName;
  /** Share of traces, from 0 to 1, for ratio samplers. */
  ratio: number;
  processName: string;
  version: string;
  log: Log;
}

const MOST_WAITING = 2048;
const BATCH = 512;
const SEND_MS = 1000;
/** Maximum characters of an attribute. Longer values, such as the URL of a page, are truncated. */
const LONGEST_VALUE = 1000;
/** Maximum characters of a `traceparent`. A later version of the format may be longer than the current one. */
const LONGEST_PARENT = 256;

const kinds: Record<SpanKind, Kinds> = {
  internal: Kinds.INTERNAL,
  server: Kinds.SERVER,
  client: Kinds.CLIENT,
  producer: Kinds.PRODUCER,
  consumer: Kinds.CONSUMER,
};

/**
 * Starts tracing with the OpenTelemetry SDK. Patches no modules and registers nothing globally. The environment
 * variables of OpenTelemetry set headers, certificates and process attributes.
 */
export function startTracing({ url, sampler, ratio, processName, version, log }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${url.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    sampler: samplerOf(sampler, ratio),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': 'cadre',
          'service.version': version,
          'service.instance.id': processName,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      boundedProcessor({
        exporter: loggingExporter(exporter, url, log),
        mostWaiting: MOST_WAITING,
        batch: BATCH,
        sendMs: SEND_MS,
        log,
      }),
    ],
  });
  const tracer = provider.getTracer('cadre', version);
  return {
    begin(name, kind, parent) {
      const context =
        typeof parent === 'string' && parent.length <= LONGEST_PARENT ? parseTraceParent(parent) : null;
      return spanOf(
        tracer,
        tracer.startSpan(
          name,
          { kind: kinds[kind] },
          context ? trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true }) : ROOT_CONTEXT,
        ),
      );
    },
    async stop(deadlineMs) {
      const sent = provider.shutdown().catch(() => {});
      await within(deadlineMs, sent);
    },
  };
}

const spanOf = (tracer: Tracer, span: OtelSpan): Span => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & 1).toString().padStart(2, '0')}`,
    begin: (name, kind = 'internal') =>
      spanOf(tracer, tracer.startSpan(name, { kind: kinds[kind] }, trace.setSpan(ROOT_CONTEXT, span))),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail(why) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: why });
      span.setAttribute('error.type', why);
    },
    end: () => span.end(),
  };
};
