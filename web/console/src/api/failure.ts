import type { ResponseErrorCode } from '../../../../core/errors/catalogue.js';
import type { ChannelFailureCode } from '../../../../core/errors/channel-failures.js';
import { mayRetry } from '../../../client/may-retry.js';
import type { ErrorBody } from './types.js';

export class Failure extends Error {
  /** Null if there was no error response from the API. */
  readonly code: ResponseErrorCode | null;
  readonly fieldErrors: Record<string, string[]>;
  /** Scope, role or `twoFactor` that the caller lacks. */
  readonly required: string | null;
  /** Why a call to a social platform failed. */
  readonly channelCode: ChannelFailureCode | null;
  /** Id for reports to the operator. */
  readonly requestId: string | null;
  /** The same request may succeed later. */
  readonly mayRetry: boolean;

  constructor(message: string, error: Partial<ErrorBody> = {}, response: Response | null = null) {
    super(message);
    this.name = 'Failure';
    this.code = error.code ?? null;
    this.fieldErrors = error.details?.fieldErrors ?? {};
    this.required = error.details?.required ?? null;
    this.channelCode = error.details?.code ?? null;
    this.requestId = response?.headers.get('x-request-id') ?? null;
    this.mayRetry = mayRetry(response?.status ?? null);
  }
}

const OFFLINE = 'Check that the service is running and that you are online, then try again.';

/** A failure found by the console itself. The message says what to do. */
export class SelfExplained extends Failure {}

/** Returns advice on a failure without a response. Error messages of the API contain their own advice. */
export const adviceOn = (failure: Failure): string =>
  failure instanceof SelfExplained || failure.code !== null ? '' : OFFLINE;

export const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure ? thrown : new Failure(thrown instanceof Error ? thrown.message : String(thrown));
