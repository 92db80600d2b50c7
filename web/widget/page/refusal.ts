import { mayRetry } from '../../client/may-retry.js';

/** An error response of the service. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly fieldErrors: Record<string, string[]>;
  /** Requested pause before a retry, in ms. */
  readonly retryAfterMs: number | null;

  constructor(status: number, body: ErrorBody, retryAfterMs: number | null) {
    super(body.error?.message ?? `The service answered with status ${status}.`);
    this.name = 'Refusal';
    this.status = status;
    this.code = body.error?.code ?? `HTTP_${status}`;
    this.fieldErrors = body.error?.details?.fieldErrors ?? {};
    this.retryAfterMs = retryAfterMs;
  }
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: { fieldErrors?: Record<string, string[]> } };
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const seconds = Number(response.headers.get('retry-after'));
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  return new Refusal(response.status, body, seconds > 0 ? seconds * 1000 : null);
}

/** Returns whether the same request may succeed later. */
export const isTemporary = (thrown: unknown): boolean =>
  thrown instanceof Refusal ? mayRetry(thrown.status) : thrown instanceof TypeError;

export const codeOf = (thrown: unknown): string => (thrown instanceof Refusal ? thrown.code : 'NETWORK');
