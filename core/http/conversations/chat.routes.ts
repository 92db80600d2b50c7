import { toolProblems } from '../../chat/tool-problems.js';
import { messageIdOf } from '../../conversations/message-id.js';
import { ApiError } from '../../errors/api-error.js';
import type { Owner } from '../../fairness/owner.js';
import type { ToolDeclaration } from '../../ports/model.port.js';
import { noContent, ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { answerTo, askerOf, audienceOf, presented, speakersOf, streamOf, viewerOf } from './answers.js';
import { conversationIdOf } from './conversation-id.js';
import {
  chatBody,
  feedbackBody,
  messageSchema,
  retryBody,
  stoppedSchema,
  toolResultBody,
  toolResultTaken,
  visitorChatBody,
  visitorMessageSchema,
  visitorRetryBody,
} from './conversations.schema.js';
import { messageOfEventId, readEventId } from './event-position.js';

const malformedJson = 'VALIDATION_INVALID_JSON';

const problems = {
  tools: (tools: readonly ToolDeclaration[], { toolSchemas }: Services, owner: Owner) =>
    toolProblems(tools, toolSchemas, owner),
};

export const chatRoutes: Route[] = [
  route({
    id: 'chat',
    method: 'POST',
    path: '/agents/:agentId/chat',
    scope: 'agentSettings',
    permission: 'chat',
    summary: 'Send a message to the agent, and get its answer',
    description:
      'The agent searches its sources and answers from them, with citations. The answer costs the credits of its model; without a language model, the agent quotes its sources. The response is an event stream or, with `stream: false`, one message. Without `conversationId`, a new conversation begins; to continue it, send the `conversationId` from the metadata of the answer. A user over the rate limit of the agent gets its `limitMessage` as the answer. A client that lost its stream resumes it with `followAnswer`.',
    body: chatBody,
    problems,
    malformedJson,
    idempotent: 'itself',
    streams: true,
    responses: { 200: messageSchema },
    refusals: ['CHAT_CONVERSATION_MISMATCH'],
    visitors: true,
    visitorBody: visitorChatBody,
    visitorResponse: visitorMessageSchema,
    async handle({ body, ...request }, services) {
      const { message, conversationId, userId, tools, stream = true } = body;
      const asker = askerOf(services, { ...request, stream });
      const audience = audienceOf(request.caller);
      return answerTo(
        services,
        { ...request, stream, conversationId: conversationId?.toLowerCase() ?? null, audience },
        () => services.conversations.chat(asker, { message, conversationId, userId, tools }),
      );
    },
  }),
  route({
    id: 'retryMessage',
    method: 'POST',
    path: '/agents/:agentId/conversations/:conversationId/retry',
    scope: 'agentSettings',
    permission: 'chat',
    summary: 'Replace an answer, and all later messages, with a new answer',
    description:
      'Asks the question again, at the price of `chat`. The old answer and all later messages stay until the new answer is complete, so a failed retry changes nothing.',
    params: conversationIdOf,
    body: retryBody,
    problems,
    malformedJson,
    idempotent: 'itself',
    streams: true,
    responses: { 200: messageSchema },
    refusals: ['RESOURCE_NOT_FOUND', 'CHAT_RETRY_MESSAGE_NOT_FOUND', 'CHAT_RETRY_NO_USER_MESSAGE'],
    visitors: true,
    visitorBody: visitorRetryBody,
    visitorResponse: visitorMessageSchema,
    async handle({ params, body, ...request }, services) {
      const { tools, stream = true } = body;
      const asker = askerOf(services, { ...request, stream });
      const id = conversationIdOf(params);
      const conversation = await services.conversations.known(request.agent.id, id, asker.viewer);
      const messageId = messageIdOf(body.messageId);
      if (messageId === null) throw new ApiError('CHAT_RETRY_MESSAGE_NOT_FOUND');
      const audience = audienceOf(request.caller);
      return answerTo(
        services,
        {
          ...request,
          stream,
          conversationId: conversation.id,
          audience,
          unknown: 'RESOURCE_NOT_FOUND',
        },
        () => services.conversations.retry(asker, { conversation, messageId, tools }),
      );
    },
  }),
  route({
    id: 'sendToolResult',
    method: 'POST',
    path: '/agents/:agentId/conversations/:conversationId/tool-result',
    scope: 'agent',
    permission: 'chat',
    summary: 'Submit a tool result',
    description:
      'For each `tool-call` in an answer, send `output` or `error` before the call expires. Then call `chat` with the `conversationId` and without `message`: the agent continues with the results.',
    idempotent: 'afterwards',
    params: conversationIdOf,
    body: toolResultBody,
    uncountedField: 'output',
    malformedJson,
    responses: { 200: toolResultTaken },
    refusals: ['RESOURCE_TOOL_CALL_NOT_FOUND'],
    async handle({ agent, params, body }, { conversations }) {
      const { toolCallId, output, error } = body;
      const result = error === undefined ? { output: output ?? null } : { error };
      await conversations.takeToolResult(agent.id, conversationIdOf(params), toolCallId, result);
      return ok({ success: true });
    },
  }),
  route({
    id: 'giveFeedback',
    method: 'PATCH',
    path: '/agents/:agentId/conversations/:conversationId/messages/:messageId/feedback',
    scope: 'agent',
    permission: 'chat',
    summary: 'Rate an answer',
    description:
      'Replaces earlier feedback. An omitted `comment` stays as it is. `feedback: null` clears feedback and comment. Only messages of the assistant accept feedback.',
    params: conversationIdOf,
    body: feedbackBody,
    malformedJson,
    responses: { 200: messageSchema },
    refusals: ['RESOURCE_NOT_FOUND', 'RESOURCE_MESSAGE_NOT_FOUND', 'RESOURCE_MESSAGE_NOT_ASSISTANT'],
    visitors: true,
    visitorResponse: visitorMessageSchema,
    async handle({ agent, caller, params, body }, services) {
      const { conversations } = services;
      const conversation = await conversations.known(agent.id, conversationIdOf(params), viewerOf(caller));
      const messageId = params.messageId ?? '';
      const message = await conversations.giveFeedback(conversation, messageId, body, caller.share);
      return ok(await presented(services, message, speakersOf(conversation, caller)));
    },
  }),
  route({
    id: 'followAnswer',
    method: 'GET',
    path: '/agents/:agentId/conversations/:conversationId/stream',
    extension: true,
    scope: 'agent',
    permission: 'conversations.view',
    summary: 'Resume the stream of the answer in progress',
    description:
      'Send the id of the last event that you read as `Last-Event-ID`; without it, the answer is streamed from its start. An answer continues while no client follows it. 204 means that no answer is in progress: `listMessages` returns the ended answer.',
    params: conversationIdOf,
    resumable: true,
    streams: true,
    responses: {},
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    visitors: true,
    async handle({ agent, caller, params, lastEventId = '', takeStream }, services) {
      const { conversations, conversationReads } = services;
      const conversation = await conversations.known(agent.id, conversationIdOf(params), viewerOf(caller));
      const audience = audienceOf(caller);
      const { id: conversationId, userId, activeMessageId, lastEmptyEnd } = conversation;
      const asked = { agentId: agent.id, conversationId, userId };
      if (activeMessageId !== null) {
        takeStream();
        const position = readEventId(lastEventId, activeMessageId);
        return streamOf(services, { ...asked, messageId: activeMessageId }, { position, audience });
      }
      const messageId = messageOfEventId(lastEventId);
      if (messageId === null) return noContent;
      // The answer may have ended since the client's last event. Send the rest.
      const newest = await conversationReads.newest(conversationId);
      const isNewest = newest?.id === messageId && newest.role === 'assistant';
      const leftNothing = lastEmptyEnd?.messageId === messageId && messageId > (newest?.id ?? 0);
      if (!isNewest && !leftNothing) return noContent;
      const position = readEventId(lastEventId, messageId);
      return streamOf(services, { ...asked, messageId }, { position, audience });
    },
  }),
  route({
    id: 'stopAnswer',
    method: 'POST',
    path: '/agents/:agentId/conversations/:conversationId/stop',
    extension: true,
    scope: 'agent',
    permission: 'chat',
    summary: 'Stop the answer in progress',
    description:
      'The text so far is kept with the status `stopped`; a message without text is deleted. `stopped: false` means that no answer was in progress. Closing the connection does not stop an answer.',
    idempotent: 'afterwards',
    params: conversationIdOf,
    responses: { 200: stoppedSchema },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    visitors: true,
    async handle({ agent, caller, params }, { conversations }) {
      const conversation = await conversations.known(agent.id, conversationIdOf(params), viewerOf(caller));
      return ok({ stopped: await conversations.stop(conversation, caller.share) });
    },
  }),
];
