import type { AnswerableCode } from '../../../core/errors/catalogue.js';
import type { ErrorBody } from './types.js';

export class Failure extends Error {
  /** Null unless the API responded with an error. */
  readonly code: AnswerableCode | null;
  readonly fieldErrors: Record<string, string[]>;
  /** For reports to the operator. */
  readonly requestId: string | null;

  constructor(message: string, error: Partial<ErrorBody> = {}, requestId: string | null = null) {
    super(message);
    this.name = 'Failure';
    this.code = error.code ?? null;
    this.fieldErrors = error.details?.fieldErrors ?? {};
    this.requestId = requestId;
  }
}

/** What the user can do about each error of the API. */
const advice: Record<AnswerableCode, string> = {
  VALIDATION_INVALID_BODY: 'Correct the marked fields and send it again.',
  VALIDATION_INVALID_JSON: 'Reload the page and try again.',
  AUTH_MISSING_API_KEY: 'Sign in again.',
  AUTH_INVALID_API_KEY: 'Check the key, or ask the operator for a new one.',
  AUTH_EXPIRED_API_KEY: 'Sign in with another key.',
  SUBSCRIPTION_PLAN_REQUIRED: 'Ask the operator for a plan with API access.',
  SUBSCRIPTION_API_RESTRICTED_PLAN: 'Ask the operator for a plan that includes this.',
  AUTH_INSUFFICIENT_PERMISSIONS: 'Sign in with a key that may do this.',
  AGENT_NOT_FOUND: 'It may have been deleted. Go back to the list of agents.',
  RESOURCE_NOT_FOUND: 'It may have been deleted. Go back and reload the list.',
  RESOURCE_DOCUMENT_NOT_FOUND: 'It may have been deleted. Go back to the sources.',
  RESOURCE_MESSAGE_NOT_FOUND: 'Reload the conversation.',
  RESOURCE_MESSAGE_NOT_ASSISTANT: 'Give feedback on an answer instead.',
  RESOURCE_TOOL_CALL_NOT_FOUND: 'Ask again: the action is no longer pending.',
  QUOTA_CHATBOT_LIMIT:
    'Delete an agent that is no longer needed, or ask the operator for a larger allowance.',
  QUOTA_STORAGE_LIMIT:
    'Delete sources that are no longer needed, or ask the operator for a larger allowance.',
  CHAT_MODEL_NOT_ALLOWED: 'Choose another model, or ask the operator for a plan that includes this one.',
  CHAT_CONVERSATION_MISMATCH: 'Start a new conversation.',
  CHAT_RETRY_MESSAGE_NOT_FOUND: 'Reload the conversation.',
  CHAT_RETRY_NO_USER_MESSAGE: 'Ask something first.',
  SOCIAL_NOT_CONNECTED: 'Connect the channel first.',
  SOCIAL_RECONNECT_REQUIRED: 'Connect the channel again.',
  SOCIAL_AUTOMATION_TARGET_TAKEN: 'Stop the other automation first.',
  SOCIAL_AUTOMATION_CATCH_ALL_EXISTS: 'Stop the other automation first.',
  SOCIAL_SYNC_IN_PROGRESS: 'Wait until it is done, then try again.',
  SOCIAL_SYNC_FAILED: 'Try again later.',
  INTERNAL_SERVER_ERROR: 'Try again in a moment. If it keeps failing, give the operator the request id.',
};

const OFFLINE = 'Check that the service is running and that you are online, then try again.';

/** A failure whose message already says what to do. */
export class SelfExplained extends Failure {}

export function adviceOn(failure: Failure): string {
  if (failure instanceof SelfExplained) return '';
  return failure.code === null ? OFFLINE : (advice[failure.code] ?? '');
}

export const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure ? thrown : new Failure(thrown instanceof Error ? thrown.message : String(thrown));
