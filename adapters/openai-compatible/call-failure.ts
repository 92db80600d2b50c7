import { ModelFailure, type ModelFailureCode } from '../../core/ports/model.port.js';

/** A failed call to a provider: the reason, and whether a retry may help. */
export class CallFailure extends Error {
  readonly code: ModelFailureCode;
  /** Whether a retry may help. No text must have been shown yet. */
  readonly isRetryable: boolean;
  /** Whether the provider itself has a problem. Consecutive failures of this kind open the circuit breaker. */
  readonly counts: boolean;
  /** The provider's `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(
    code: ModelFailureCode,
    message: string,
    options: { isRetryable?: boolean; counts?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'CallFailure';
    this.code = code;
    this.isRetryable = options.isRetryable ?? false;
    this.counts = options.counts ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

export const unavailable = (message: string, cause?: unknown): CallFailure =>
  new CallFailure('MODEL_UNAVAILABLE', message, { isRetryable: true, counts: true, cause });
export const timedOut = (message: string): CallFailure =>
  new CallFailure('MODEL_TIMEOUT', message, { isRetryable: true, counts: true });
export const badResponse = (message: string, cause?: unknown): CallFailure =>
  new CallFailure('MODEL_BAD_ANSWER', message, { cause });

export const toModelFailure = (failure: CallFailure, provider: string, model: string): ModelFailure =>
  new ModelFailure(failure.code, `${provider}: ${failure.message}`, { provider, model, cause: failure });

interface ErrorBody {
  message: string;
  code: string;
  param: string;
}

const MAX_MESSAGE = 300;

function errorBody(text: string): ErrorBody {
  const fields = { message: text, code: '', param: '' };
  try {
    const parsed: unknown = JSON.parse(text);
    const outer = typeof parsed === 'object' && parsed !== null ? parsed : {};
    const inner: unknown = 'error' in outer ? outer.error : outer;
    if (typeof inner === 'string') return { ...fields, message: inner };
    for (const name of ['message', 'code', 'param'] as const) {
      const value: unknown =
        typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined;
      if (typeof value === 'string') fields[name] = value;
    }
  } catch {
    // The body is not JSON: use its text.
  }
  return fields;
}

const tooLong =
  /context.?(?:length|window|size)|maximum context|too many (?:input )?tokens|(?:prompt|input) is too long|exceeds? .{0,40}context/i;

/** Converts `Retry-After`, which is in seconds or a date, to milliseconds. Returns 0 if it is missing or invalid. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

/** Returns the parameter that the provider rejected as unsupported; null if there was another reason. */
export function refusedParameter(status: number, body: string): 'token limit' | 'temperature' | null {
  if (status !== 400 && status !== 422) return null;
  const { message, code, param } = errorBody(body);
  if (tooLong.test(`${code} ${message}`)) return null;
  const text = `${param} ${message}`;
  const isUnsupported =
    /unsupported|not supported|does not support|unknown|unrecognized|instead|not permitted|only the default/i.test(
      `${code} ${message}`,
    );
  if (!isUnsupported) return null;
  if (/max_(?:completion_)?tokens/.test(text)) return 'token limit';
  return /temperature/.test(text) ? 'temperature' : null;
}

/** Converts a response with a status other than 200. `redact` removes the key from the provider's message. */
export function statusFailure(
  status: number,
  body: string,
  retryAfter: string | null,
  redact: (text: string) => string,
): CallFailure {
  const { message, code } = errorBody(body);
  const text = `status ${status}: ${redact(message).replace(/\s+/g, ' ').slice(0, MAX_MESSAGE)}`;
  const wait = { retryAfterMs: retryAfterMs(retryAfter) };
  if (status === 429) return new CallFailure('MODEL_RATE_LIMITED', text, { isRetryable: true, ...wait });
  if (status === 408 || status >= 500)
    return new CallFailure('MODEL_UNAVAILABLE', text, { isRetryable: true, counts: true, ...wait });
  if (status === 413 || tooLong.test(`${code} ${message}`))
    return new CallFailure('MODEL_CONTEXT_TOO_LONG', text);
  return new CallFailure('MODEL_REFUSED', text);
}
