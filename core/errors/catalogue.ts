/**
 * All errors of the API. `status: null` marks a reserved code, which is declared for clients but never returned. The
 * first sentence of a message says what happened, the second what to do.
 */
export const catalogue = {
  VALIDATION_INVALID_BODY: {
    status: 400,
    message: 'The request is not valid. Correct the fields in `details.fieldErrors`.',
  },
  VALIDATION_INVALID_JSON: {
    status: 400,
    message: 'The body is not valid JSON. Send one JSON object in UTF-8.',
  },
  AUTH_MISSING_API_KEY: {
    status: 401,
    message: 'The API key is missing. Send it as `Authorization: Bearer <key>`.',
  },
  AUTH_INVALID_API_KEY: {
    status: 401,
    message: 'The API key is not valid. Check the key, or create another one.',
  },
  AUTH_EXPIRED_API_KEY: { status: 401, message: 'The API key has expired. Create another one.' },
  SUBSCRIPTION_PLAN_REQUIRED: {
    status: 403,
    message: 'API access requires a paid plan with active billing. Ask the operator to change the plan.',
  },
  SUBSCRIPTION_API_RESTRICTED_PLAN: {
    status: 403,
    message: 'The plan of this workspace does not include this feature. Ask the operator to change the plan.',
  },
  AUTH_INSUFFICIENT_PERMISSIONS: {
    status: 403,
    message: 'This API key does not allow the operation. Use a key with the scope in `details.required`.',
  },
  AGENT_NOT_FOUND: {
    status: 404,
    message: 'There is no such agent. Check the id: the agent may have been deleted.',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    message: 'There is no resource at this URL. Check its path and ids: the resource may have been deleted.',
  },
  RESOURCE_DOCUMENT_NOT_FOUND: {
    status: 404,
    message: 'The agent has no such document. Check the id: the source may have been deleted.',
  },
  RESOURCE_MESSAGE_NOT_FOUND: {
    status: 404,
    message: 'The conversation has no such message. Read its messages again, because a retry replaces them.',
  },
  RESOURCE_MESSAGE_NOT_ASSISTANT: {
    status: 422,
    message: 'Feedback can only be given on assistant messages. Use the id of an answer.',
  },
  RESOURCE_TOOL_CALL_NOT_FOUND: {
    status: 404,
    message:
      'No client action with this tool call id is waiting: its result has arrived, or it has expired. Send the message again.',
  },
  QUOTA_CHATBOT_LIMIT: {
    status: 403,
    message:
      'This workspace has reached its limit of agents. Delete an agent, or ask the operator for a higher limit.',
  },
  QUOTA_STORAGE_LIMIT: {
    status: 403,
    message:
      'The content does not fit into the storage of the workspace. Delete sources, or ask the operator for more.',
  },
  CHAT_MODEL_NOT_ALLOWED: {
    status: 403,
    message:
      'The plan of this workspace does not include this model. Select another one, or ask the operator to change the plan.',
  },
  CHAT_CREDITS_EXHAUSTED: {
    status: null,
    message: 'This workspace has used all of its message credits. Ask the operator for more.',
  },
  CHAT_AGENT_CREDITS_EXHAUSTED: {
    status: null,
    message: 'This agent has used all of its message credits. Ask the operator for more.',
  },
  CHAT_CONVERSATION_MISMATCH: {
    status: 404,
    message: 'The agent has no such conversation. Leave out `conversationId` to start one.',
  },
  CHAT_RETRY_MESSAGE_NOT_FOUND: {
    status: 404,
    message:
      'The conversation has no such assistant message. Read its messages again, because a retry replaces them.',
  },
  CHAT_RETRY_NO_USER_MESSAGE: {
    status: 400,
    message: 'There is no user message to retry. Send a message instead.',
  },
  SOCIAL_NOT_CONNECTED: {
    status: 404,
    message: 'The agent is not connected to this channel. Connect it first.',
  },
  SOCIAL_RECONNECT_REQUIRED: {
    status: 409,
    message: 'The platform no longer accepts the token of this agent. Connect the channel again.',
  },
  SOCIAL_AUTOMATION_TARGET_TAKEN: {
    status: 409,
    message:
      'Another active automation already targets this post or story. Deactivate it, or choose another target.',
  },
  SOCIAL_AUTOMATION_CATCH_ALL_EXISTS: {
    status: 409,
    message: 'An active catch-all automation of this kind already exists. Deactivate it first.',
  },
  SOCIAL_SYNC_IN_PROGRESS: {
    status: 409,
    message: 'This resource is already being synced. Wait until the sync has ended.',
  },
  SOCIAL_SYNC_FAILED: {
    status: 502,
    message: 'The sync with the channel failed. Try again in a few minutes.',
  },
  RATE_LIMIT_TOO_MANY_REQUESTS: {
    status: null,
    message: 'Too many requests. Try again after the time in `Retry-After`.',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Try again; if it keeps failing, report the request id.',
  },
} as const satisfies Record<string, { status: number | null; message: string }>;

export type ErrorCode = keyof typeof catalogue;

/** Codes that responses may have: all codes with a status. */
export type ResponseErrorCode = {
  [C in ErrorCode]: (typeof catalogue)[C]['status'] extends null ? never : C;
}[ErrorCode];

export const responseErrorCodes = (Object.keys(catalogue) as ErrorCode[]).filter(
  (code): code is ResponseErrorCode => catalogue[code].status !== null,
);
