export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** `server` and `consumer` begin work for somebody else, `client` and `producer` hand work on. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** One piece of work in a trace. Nothing here throws or waits. */
export interface Span {
  /** Names it to other processes: the header `traceparent` of W3C Trace Context. */
  readonly traceparent: string;
  /** A piece of this work. */
  begin(name: string, kind?: SpanKind): Span;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** It did not succeed; `why` is a code or the name of an error. */
  fail(why: string): void;
  end(): void;
}

/** Where spans go. There is none while tracing is off. */
export interface Tracing {
  /**
   * A span of the trace that `parent` names, a `traceparent` from outside; without one, or with one that is
   * not well-formed, the first span of a new trace.
   */
  begin(name: string, kind: SpanKind, parent: unknown): Span;
  /** Sends what has not been sent, for so long at most. */
  stop(deadlineMs: number): Promise<void>;
}

/** Which traces are kept, by the names of OpenTelemetry. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];
