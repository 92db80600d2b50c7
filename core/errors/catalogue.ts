/**
 * All errors of the API. `status: null` marks a reserved code, which is declared for clients but never returned.
 */
export const catalogue = {
  VALIDATION_INVALID_BODY: { status: 400, message: 'The request is not valid.' },
  VALIDATION_INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  AUTH_MISSING_API_KEY: { status: 401, message: 'Send your API key as `Authorization: Bearer <key>`.' },
  AUTH_INVALID_API_KEY: { status: 401, message: 'The API key is not valid.' },
  AUTH_EXPIRED_API_KEY: { status: 401, message: 'The API key has expired. Create a new one.' },
  SUBSCRIPTION_PLAN_REQUIRED: {
    status: 403,
    message: 'API access requires a paid plan with active billing.',
  },
  SUBSCRIPTION_API_RESTRICTED_PLAN: {
    status: 403,
    message: 'The plan of this workspace does not include this feature.',
  },
  AUTH_INSUFFICIENT_PERMISSIONS: {
    status: 403,
    message: 'The API key may not do this. Use a key with the scope in `details.required`.',
  },
  AGENT_NOT_FOUND: { status: 404, message: 'There is no such agent.' },
  RESOURCE_NOT_FOUND: { status: 404, message: 'There is no resource at this URL.' },
  RESOURCE_DOCUMENT_NOT_FOUND: { status: 404, message: 'The agent has no such document.' },
  RESOURCE_MESSAGE_NOT_FOUND: { status: 404, message: 'The conversation has no such message.' },
  RESOURCE_MESSAGE_NOT_ASSISTANT: {
    status: 422,
    message: 'Feedback can be given only on assistant messages.',
  },
  RESOURCE_TOOL_CALL_NOT_FOUND: {
    status: 404,
    message: 'No client action with this tool call id is waiting.',
  },
  QUOTA_CHATBOT_LIMIT: { status: 403, message: 'This workspace has reached its limit of agents.' },
  QUOTA_STORAGE_LIMIT: { status: 403, message: 'This workspace has used all of its storage.' },
  CHAT_MODEL_NOT_ALLOWED: { status: 403, message: 'The plan of this workspace does not include this model.' },
  CHAT_CREDITS_EXHAUSTED: { status: null, message: 'This workspace has used all of its message credits.' },
  CHAT_AGENT_CREDITS_EXHAUSTED: { status: null, message: 'This agent has used all of its message credits.' },
  CHAT_CONVERSATION_MISMATCH: { status: 404, message: 'The agent has no such conversation.' },
  CHAT_RETRY_MESSAGE_NOT_FOUND: { status: 404, message: 'The conversation has no such assistant message.' },
  CHAT_RETRY_NO_USER_MESSAGE: { status: 400, message: 'There is no user message to retry.' },
  SOCIAL_NOT_CONNECTED: { status: 404, message: 'The agent is not connected to this channel.' },
  SOCIAL_RECONNECT_REQUIRED: { status: 409, message: 'Reconnect the channel.' },
  SOCIAL_AUTOMATION_TARGET_TAKEN: {
    status: 409,
    message: 'Another active automation already targets this post or story.',
  },
  SOCIAL_AUTOMATION_CATCH_ALL_EXISTS: {
    status: 409,
    message: 'An active catch-all of this kind already exists.',
  },
  SOCIAL_SYNC_IN_PROGRESS: { status: 409, message: 'This resource is already being synced.' },
  SOCIAL_SYNC_FAILED: { status: 502, message: 'The sync with the channel failed.' },
  RATE_LIMIT_TOO_MANY_REQUESTS: { status: null, message: 'Too many requests.' },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Quote the request id when you report it.',
  },
} as const satisfies Record<string, { status: number | null; message: string }>;

export type ErrorCode = keyof typeof catalogue;

type Answerable = { [C in ErrorCode]: (typeof catalogue)[C]['status'] extends null ? never : C }[ErrorCode];

/** Codes that have a status. */
export type AnswerableCode = Answerable;

export const answerableCodes = (Object.keys(catalogue) as ErrorCode[]).filter(
  (code): code is AnswerableCode => catalogue[code].status !== null,
);
