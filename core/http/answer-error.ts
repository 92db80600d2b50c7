import type { Context, Next } from 'koa';
import { Stopped } from '../actors/directory.js';
import { MailboxFull } from '../actors/mailbox.js';
import { ApiError, overloaded } from '../errors/api-error.js';
import type { Log } from '../ports/log.port.js';
import { AgentGone } from '../ports/store.port.js';

/** The only place that turns what was thrown into an answer. A fault is logged with its cause; the client gets the request id. */
export const answerErrors =
  (log: Log) =>
  async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (thrown) {
      const error = asApiError(thrown);
      if (error.status >= 500) {
        log.error(
          { err: error.cause ?? thrown, requestId: ctx.state.requestId, method: ctx.method, path: ctx.path },
          'request failed',
        );
      }
      ctx.status = error.status;
      ctx.set(error.headers);
      ctx.body = {
        error: {
          code: error.code,
          message: error.message,
          ...(error.details ? { details: error.details } : {}),
        },
      };
    }
  };

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof AgentGone) return new ApiError('AGENT_NOT_FOUND');
  if (thrown instanceof MailboxFull || thrown instanceof Stopped) return overloaded(thrown);
  return new ApiError('INTERNAL_SERVER_ERROR', { cause: thrown });
}
