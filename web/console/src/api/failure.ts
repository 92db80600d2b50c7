import type { ResponseErrorCode } from '../../../../core/errors/catalogue.js';
import type { ChannelFailureCode } from '../../../../core/errors/channel-failures.js';
import type { ErrorBody } from './types.js';

export class Failure extends Error {
  /** Null unless the API responded with an error. */
  readonly code: ResponseErrorCode | null;
  readonly fieldErrors: Record<string, string[]>;
  /** Why a call to a social platform failed. */
  readonly channelCode: ChannelFailureCode | null;
  /** For reports to the operator. */
  readonly requestId: string | null;

  constructor(message: string, error: Partial<ErrorBody> = {}, requestId: string | null = null) {
    super(message);
    this.name = 'Failure';
    this.code = error.code ?? null;
    this.fieldErrors = error.details?.fieldErrors ?? {};
    this.channelCode = error.details?.code ?? null;
    this.requestId = requestId;
  }
}

const OFFLINE = 'Check that the service is running and that you are online, then try again.';

/** A failure of the console's own, whose message says what to do. */
export class SelfExplained extends Failure {}

/** Returns advice on failures without an answer. Messages of the API hold their own. */
export const adviceOn = (failure: Failure): string =>
  failure instanceof SelfExplained || failure.code !== null ? '' : OFFLINE;

export const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure ? thrown : new Failure(thrown instanceof Error ? thrown.message : String(thrown));
