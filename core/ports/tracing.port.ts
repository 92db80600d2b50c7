export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** `server` and `consumer` handle requests of other processes; `client` and `producer` send them. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** A span of a trace. No method throws or blocks. */
export interface Span {
  /** The header `traceparent` of W3C Trace Context. */
  readonly traceparent: string;
  /** Begins a child span. */
  begin(name: string, kind?: SpanKind): Span;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed. `why` is a code or the name of an error. */
  fail(why: string): void;
  end(): void;
}

export interface Tracing {
  /**
   * Begins a span in the trace of `parent`, a received `traceparent`. If `parent` is missing or malformed, begins a new
   * trace.
   */
  begin(name: string, kind: SpanKind, parent: unknown): Span;
  /** Flushes unsent spans, for at most `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** Samplers of OpenTelemetry. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];
