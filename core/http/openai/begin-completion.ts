import { answerModel } from '../../chat/answer-model.js';
import { answerSettings } from '../../chat/instructions.js';
import { invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { ToolDeclaration } from '../../ports/model.port.js';
import type { AgentState } from '../../ports/store/rows.js';
import type { JsonObject } from '../../schemas/json.js';
import { type AnswerInProgress, refusedAnswer, storedAnswer } from '../conversations/answer-in-progress.js';
import { askerOf, refusalOf } from '../conversations/answers.js';
import type { RouteRequest } from '../route.js';
import type { Services } from '../services.js';
import { type completionBody, ignoredParameters } from './completions.schema.js';
import { readMessages, type SentConversation } from './sent-messages.js';
import { declarationsOf } from './sent-tools.js';

type Request = RouteRequest<object, (typeof completionBody)['static']> & {
  agent: AgentState;
  settings: JsonObject;
};

interface Begun {
  answer: AnswerInProgress;
  /** Parts of the request that have no effect. The response names them. */
  ignored: string[];
}

/** Starts the answer to a request. Its conversation is stored if the request names or begins a stored conversation. */
export async function beginCompletion(services: Services, request: Request): Promise<Begun> {
  const { body, settings, caller } = request;
  const conversation = readMessages(body.messages);
  const declared = body.tool_choice === 'none' ? [] : declarationsOf(body.tools ?? []);
  const answer = await begin(services, request, { conversation, declared }).catch((error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return refusedAnswer(refusal, seconds(services.clock.now()));
  });
  const { ports } = services;
  const { defaultModel } = services.models;
  const { models } = caller.entitlements;
  const model = ports.model.describe(answerModel(answerSettings(settings).model, { models, defaultModel }));
  const sent = body as Record<string, unknown>;
  const ignored = [
    ...ignoredParameters.filter((name) => sent[name] != null),
    ...(conversation.hasInstructions ? ['system messages'] : []),
    ...(declared.length > 0 && model?.tools !== true ? ['tools'] : []),
  ];
  return { answer, ignored };
}

async function begin(
  services: Services,
  { body, ...request }: Request,
  { conversation, declared }: { conversation: SentConversation; declared: ToolDeclaration[] },
): Promise<AnswerInProgress> {
  const { conversations } = services;
  const { history, round, results } = conversation;
  const asker = askerOf(services, request);
  const conversationId = body.metadata?.conversation_id?.toLowerCase();
  if (conversationId === undefined && body.store !== true) {
    const question = { history, round, tools: declared, userId: body.user ?? null };
    const answer = await conversations.unstored.answer(asker, question);
    request.holdMemoryUntil(answer.historyBytes, answer.ended);
    return { ...answer, conversationId: null };
  }
  if (conversationId === undefined && history.length > 1)
    throw invalidField('messages', 'must be one message of the user if `store` begins a conversation');
  const last = history.at(-1);
  const message = last?.role === 'user' ? last.text : undefined;
  for (const { toolCallId, output } of message === undefined ? results : [])
    await conversations.takeToolResult(request.agent.id, conversationId ?? '', toolCallId, { output });
  // Without tools, a continuation keeps those of the conversation.
  const tools = body.tools == null ? undefined : declared;
  const sent = { message, conversationId, userId: body.user ?? undefined, tools };
  return storedAnswer(services, await conversations.chat(asker, sent));
}
