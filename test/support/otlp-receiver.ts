import { json } from 'node:stream/consumers';
import type { Test } from 'tap';
import { loopbackServer } from './loopback-server.js';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty or missing for the root of a trace. */
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  start: bigint;
  ms: number;
  failed: boolean;
  attributes: Record<string, unknown>;
  /** Resource of the process that sent it. */
  resource: Record<string, unknown>;
}

export interface OtlpReceiver {
  url: string;
  /** Spans of one trace, or all of them. */
  spans(traceId?: string): ReceivedSpan[];
}

type Value = Record<string, unknown>;
type Pairs = { key: string; value: Value }[];
interface Sent {
  resourceSpans: {
    resource: { attributes: Pairs };
    scopeSpans: {
      spans: (Pick<ReceivedSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'name' | 'kind'> & {
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Pairs;
        status: { code?: number };
      })[];
    }[];
  }[];
}

const valuesOf = (pairs: Pairs): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A local receiver of traces, OTLP over HTTP with JSON. */
export async function otlpReceiver(t: Test): Promise<OtlpReceiver> {
  const received: ReceivedSpan[] = [];
  const origin = await loopbackServer(t, async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end();
    const { resourceSpans } = (await json(request)) as Sent;
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const { attributes, status, startTimeUnixNano, endTimeUnixNano, ...span } of spans) {
          const start = BigInt(startTimeUnixNano);
          received.push({
            ...span,
            start,
            ms: Number(BigInt(endTimeUnixNano) - start) / 1e6,
            failed: status.code === 2,
            attributes: valuesOf(attributes),
            resource: valuesOf(resource.attributes),
          });
        }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    url: origin,
    spans: (traceId) => received.filter((span) => traceId === undefined || span.traceId === traceId),
  };
}

/** Prints the spans below this one in order of their start, indented by two spaces per level. */
export function treeBelow(
  spans: readonly ReceivedSpan[],
  parentSpanId: string,
  show: (span: ReceivedSpan) => string = ({ name }) => name,
  depth = 0,
): string[] {
  return spans
    .filter((span) => span.parentSpanId === parentSpanId)
    .sort((a, b) => (a.start < b.start ? -1 : 1))
    .flatMap((span) => ['  '.repeat(depth) + show(span), ...treeBelow(spans, span.spanId, show, depth + 1)]);
}
