import { Type } from '@sinclair/typebox';
import { samplerNames } from '../core/ports/tracing.port.js';
import { named, oneOf, orNull, section } from './setting-shapes.js';

/** Settings with the names of OpenTelemetry's environment variables. Its library reads the other variables itself. */
export const tracingSettings = section({
  otlpUrl: orNull(
    Type.String({
      env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      format: 'otlp-url',
      expects: 'an http or https URL such as http://collector:4318, without credentials, query or fragment',
      description:
        'URL of the receiver of traces (OTLP over HTTP, JSON), without `/v1/traces`. null: no traces are sent.',
    }),
  ),
  sampler: named(
    'OTEL_TRACES_SAMPLER',
    oneOf(
      'Which traces are kept. With `parentbased_…`, the caller decides for a request that has a `traceparent`.',
      samplerNames,
    ),
  ),
  sampleRatio: named(
    'OTEL_TRACES_SAMPLER_ARG',
    Type.Number({
      minimum: 0,
      maximum: 1,
      expects: 'a number from 0 to 1',
      description: 'Share of traces to keep, for samplers named `…traceidratio`.',
    }),
  ),
});
