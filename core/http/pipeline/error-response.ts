import type { Context } from 'koa';
import { Stopped } from '../../actors/directory.js';
import { MailboxFull } from '../../actors/mailbox.js';
import { ApiError, databaseUnavailable, outcomeUnknown, overloaded } from '../../errors/api-error.js';
import { IndexerBusy } from '../../ports/indexer.port.js';
import { JudgeBusy } from '../../ports/judge.port.js';
import type { Log } from '../../ports/log.port.js';
import { ModelBusy } from '../../ports/model.port.js';
import { RetrievalUnavailable } from '../../ports/retrieval.port.js';
import { AgentGone, OutcomeUnknown, StoreBusy, StoreUnavailable } from '../../ports/store/store-errors.js';
import { ToolSchemasBusy } from '../../ports/tool-schemas.port.js';
import { isOpenAiPath, presentOpenAiError } from '../openai/errors.js';
import { publicPath } from './access-log.js';

/**
 * Turns every error into a response. Logs 5xx with the cause, which the client does not see. Counts refusals under load,
 * and logs their number at most once a second.
 */
export function errorResponder(log: Log) {
  const underLoad = overloadLog(log);
  return (ctx: Context, thrown: unknown): void => {
    const error = asApiError(thrown);
    const about = { requestId: ctx.state.requestId, method: ctx.method, path: publicPath(ctx.path) };
    if (error.status === 503) underLoad(error.cause);
    else if (error.status >= 500) log.error({ err: error.cause ?? thrown, ...about }, 'request failed');
    else if (error.cause !== undefined) log.warn({ err: error.cause, ...about }, 'request refused');
    ctx.status = error.status;
    ctx.set(error.headers);
    if (!isOpenAiPath(ctx.path)) {
      ctx.body = presentError(error);
      return;
    }
    // Clients of OpenAI would retry a 500, and so call the model again. They obey this header.
    if (error.status === 500) ctx.set('x-should-retry', 'false');
    ctx.body = presentOpenAiError(error);
  };
}

const presentError = ({ code, message, details }: ApiError) => ({
  error: { code, message, ...(details ? { details } : {}) },
});

const OVERLOAD_LOG_MS = 1000;

function overloadLog(log: Log): (cause: unknown) => void {
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (cause) => {
    refused += 1;
    if (performance.now() - loggedAt < OVERLOAD_LOG_MS) return;
    log.warn({ err: cause, refused }, 'requests refused under load');
    loggedAt = performance.now();
    refused = 0;
  };
}

const overloads = [
  MailboxFull,
  Stopped,
  StoreBusy,
  IndexerBusy,
  RetrievalUnavailable,
  ToolSchemasBusy,
  JudgeBusy,
  ModelBusy,
];

export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof AgentGone) return new ApiError('AGENT_NOT_FOUND');
  if (overloads.some((overload) => thrown instanceof overload)) return overloaded(thrown);
  if (thrown instanceof OutcomeUnknown) return outcomeUnknown(thrown);
  if (thrown instanceof StoreUnavailable) return databaseUnavailable(thrown);
  return new ApiError('INTERNAL_SERVER_ERROR', { cause: thrown });
}
