import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '../errors/api-error.js';
import type { Attributes, Span, SpanKind } from '../ports/tracing.port.js';

/** Names of ids in log lines, with the names of their span attributes. */
const attributeNames = {
  requestId: 'cadre.request.id',
  workspaceId: 'cadre.workspace.id',
  agentId: 'cadre.agent.id',
  conversationId: 'cadre.conversation.id',
  messageId: 'cadre.message.id',
  jobId: 'cadre.job.id',
  taskId: 'cadre.task.id',
  webhookId: 'cadre.webhook.id',
  deliveryId: 'cadre.delivery.id',
  attempt: 'cadre.task.attempt',
  type: 'cadre.task.type',
  target: 'cadre.task.target',
} as const;

export type Ids = { [Name in keyof typeof attributeNames]?: string | number | null | undefined };

interface Trail {
  ids: Ids;
  span: Span | null;
  /**
   * True after the work has ended. A socket or child process that the work opened keeps the async context but is no
   * longer a part of the work.
   */
  over: boolean;
}

const trails = new AsyncLocalStorage<Trail | null>();

function current(): Trail | null {
  const trail = trails.getStore();
  return trail && !trail.over ? trail : null;
}

/** Runs `work` in a context: log lines contain `ids`, and new spans are children of `span`. */
export async function onTrail<T>(ids: Ids, span: Span | null, work: () => Promise<T>): Promise<T> {
  const trail: Trail = { ids, span, over: false };
  try {
    return await trails.run(trail, work);
  } finally {
    trail.over = true;
  }
}

/**
 * Runs `work` like `onTrail`, and ends the span with it. The span gets the ids as attributes. It fails if the work
 * throws, except for a 4xx.
 */
export function traced<T>(ids: Ids, span: Span | null, work: () => Promise<T>): Promise<T> {
  span?.set(attributesOf(ids));
  return span === null ? onTrail(ids, null, work) : whileOpen(ids, span, work);
}

/** Runs `work` in a child span, or without a span if tracing is off. */
export function inSpan<T>(name: string, kind: SpanKind, work: (span: Span | null) => Promise<T>): Promise<T> {
  const trail = current();
  const span = trail?.span?.begin(name, kind) ?? null;
  return trail && span ? whileOpen(trail.ids, span, () => work(span)) : work(null);
}

async function whileOpen<T>(ids: Ids, span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await onTrail(ids, span, work);
  } catch (error) {
    if (!isRefusal(error)) span.fail(reasonOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Runs `work` outside the current context, because several requests share it. */
export const aside = <T>(work: () => T): T => trails.run(null, work);

/** Adds ids to the current context. */
export function addIds(ids: Ids): void {
  const trail = current();
  if (!trail) return;
  Object.assign(trail.ids, ids);
  trail.span?.set(attributesOf(ids));
}

export const currentSpan = (): Span | null => current()?.span ?? null;
export const currentIds = (): Ids => current()?.ids ?? {};

/** Returns the ids and the trace id of the current context, for log lines. */
export function trailFields(): object {
  const trail = current();
  if (!trail) return {};
  const traceId = trail.span?.traceparent.split('-')[1];
  return { ...trail.ids, ...(traceId === undefined ? {} : { traceId }) };
}

export function attributesOf(ids: Ids): Attributes {
  const named = Object.entries(ids).map(([name, value]) => [
    attributeNames[name as keyof typeof attributeNames],
    value,
  ]);
  return Object.fromEntries(named.filter(([, value]) => value !== null && value !== undefined));
}

/** Returns whether the error is a 4xx: a refused request is not a failure of the service. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

function reasonOf(error: unknown): string {
  const { code, name, failure } = Object(error) as {
    code?: unknown;
    name?: unknown;
    failure?: { code?: unknown };
  };
  return String(failure?.code ?? code ?? name ?? 'unknown');
}
