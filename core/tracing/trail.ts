import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '../errors/api-error.js';
import type { Attributes, Span, SpanKind } from '../ports/tracing.port.js';

/** What work can be for, by its name in log lines; as attributes of spans. */
const attributeNames = {
  requestId: 'cadre.request.id',
  workspaceId: 'cadre.workspace.id',
  agentId: 'cadre.agent.id',
  conversationId: 'cadre.conversation.id',
  messageId: 'cadre.message.id',
  jobId: 'cadre.job.id',
  taskId: 'cadre.task.id',
  attempt: 'cadre.task.attempt',
  type: 'cadre.task.type',
  target: 'cadre.task.target',
} as const;

export type Ids = { [Name in keyof typeof attributeNames]?: string | number | null | undefined };

interface Trail {
  ids: Ids;
  span: Span | null;
  /**
   * The work has ended. A socket or child process that it opened still runs in its context, and must not
   * count as part of it.
   */
  over: boolean;
}

const trails = new AsyncLocalStorage<Trail | null>();

function current(): Trail | null {
  const trail = trails.getStore();
  return trail && !trail.over ? trail : null;
}

/** Does the work for what `ids` name: its log lines carry them, and its spans are pieces of `span`. */
export async function onTrail<T>(ids: Ids, span: Span | null, work: () => Promise<T>): Promise<T> {
  const trail: Trail = { ids, span, over: false };
  try {
    return await trails.run(trail, work);
  } finally {
    trail.over = true;
  }
}

/**
 * The same with a span for this work: it has the ids, ends with the work, and fails when that throws,
 * unless it was refused.
 */
export function traced<T>(ids: Ids, span: Span | null, work: () => Promise<T>): Promise<T> {
  span?.set(attributesOf(ids));
  return span === null ? onTrail(ids, null, work) : whileOpen(ids, span, work);
}

/** A piece of the work under way, as a span where there are any. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
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

/** Work for many, or for nobody in particular, has no trail, whoever started it. */
export const aside = <T>(work: () => T): T => trails.run(null, work);

/** Adds ids to those of the work under way. */
export function learnIds(ids: Ids): void {
  const trail = current();
  if (!trail) return;
  Object.assign(trail.ids, ids);
  trail.span?.set(attributesOf(ids));
}

export const currentSpan = (): Span | null => current()?.span ?? null;
export const currentIds = (): Ids => current()?.ids ?? {};

/** For each log line: what the work is for, and its trace. */
export function trailFields(): object {
  const trail = current();
  if (!trail) return {};
  // The second part of a traceparent.
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

/** Work that said no has done its work: an answer of 4xx is no failure of ours. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

function reasonOf(error: unknown): string {
  const { code, name, failure } = Object(error) as {
    code?: unknown;
    name?: unknown;
    failure?: { code?: unknown };
  };
  return String(failure?.code ?? code ?? name ?? 'unknown');
}
