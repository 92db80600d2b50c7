import type { Asker } from '../../conversations/asker.js';
import type { Asked } from '../../conversations/asking.js';
import { handoverAt } from '../../conversations/handover/state.js';
import { RateLimited, VisitorsUnavailable } from '../../conversations/speaking-rate.js';
import { keyViewer, type Viewer, visitorViewer } from '../../conversations/viewer.js';
import { ApiError } from '../../errors/api-error.js';
import { mapInSlices } from '../../fairness/time-slices.js';
import { canonicalLocale } from '../../locales/canonical-locale.js';
import { seconds } from '../../ports/clock.port.js';
import type { ConversationRow, MessageRow } from '../../ports/store/conversations/conversation-rows.js';
import type { AgentState } from '../../ports/store/rows.js';
import type { JsonObject } from '../../schemas/json.js';
import type { Caller } from '../auth/authenticate.js';
import type { Idempotency } from '../pipeline/idempotency.js';
import { ok, okInSlices, type RouteResponse } from '../route.js';
import type { Services } from '../services.js';
import { answerStream, forPersonStream, refusalStream } from './answer-stream.js';
import type { Position } from './event-position.js';
import type { Audience, Speakers } from './message-metadata.js';
import { presentForPerson, presentMessage, presentRefusal, type Refusal } from './messages.presenter.js';

interface Request {
  agent: AgentState;
  settings: JsonObject;
  caller: Caller;
  network: () => string;
  languages?: () => string[];
  requestId: string;
  idempotency: Idempotency | null;
  /** Whether to respond with an event stream. */
  stream?: boolean;
  takeStream?: () => void;
}

export function askerOf(
  { widget }: Pick<Services, 'widget'>,
  { agent, settings, caller, network, languages, requestId, idempotency, stream, takeStream }: Request,
): Asker {
  const { models, limits } = caller.entitlements;
  const allowance = () =>
    widget?.allowanceOf({
      settings,
      network: network(),
      messagesPerDay: limits.visitorMessagesPerDay,
      visitorStorageBytes: limits.visitorStorageBytes,
    });
  return {
    agent,
    settings,
    models,
    isVisitor: caller.visitor !== null,
    requestLanguage: caller.visitor && languages ? preferredLocale(languages()) : undefined,
    viewer: viewerOf(caller),
    share: caller.share,
    visitor: (caller.visitor && allowance()) ?? null,
    onAdmitted: stream ? takeStream : undefined,
    requestId,
    key: idempotency,
  };
}

const preferredLocale = (languages: readonly string[]): string | undefined =>
  languages.map(canonicalLocale).find((locale) => locale !== null) ?? undefined;

export const viewerOf = ({ visitor }: Caller): Viewer =>
  visitor === null ? keyViewer : visitorViewer(visitor.userId);

/** As `viewerOf`, for reading: members and the API keys that may export conversations read those of every channel. */
export const readerOf = (caller: Caller): Viewer | null =>
  caller.visitor === null && caller.key?.scope !== 'chat' ? null : viewerOf(caller);

export const audienceOf = ({ visitor }: Caller): Audience => (visitor === null ? 'key' : 'visitor');

/** Returns what messages show of their conversation to this caller. */
export const speakersOf = (
  { id, userId }: Pick<ConversationRow, 'id' | 'userId'>,
  caller: Caller,
): Speakers => ({ id, userId, audience: audienceOf(caller) });

/** Names the protocol of our streams to the AI SDK. */
export const PROTOCOL = { 'x-vercel-ai-ui-message-stream': 'v1' };

export const streamOf = (
  { conversations, conversationReads, chat, clock }: Services,
  asked: Asked,
  { position, audience }: { position: Position | null; audience: Audience },
): RouteResponse => ({
  status: 200,
  headers: PROTOCOL,
  events: (signal) =>
    answerStream(conversations, asked, {
      position,
      keepAliveMs: chat.keepAliveMs,
      signal,
      audience,
      // API keys have no conversations that people answer.
      async stateOf() {
        if (audience === 'key') return null;
        const found = await conversationReads.conversation(asked.agentId, asked.conversationId);
        return found?.handover ? handoverAt(found.handover, clock.now()).state : null;
      },
    }),
});

interface Reply {
  stream: boolean;
  takeStream: () => void;
  reserve: (bytes: number) => void;
  beginWait: () => AbortSignal;
  holdPermitUntil: (work: Promise<unknown>) => void;
  /** Null for a new conversation. */
  conversationId: string | null;
  audience: Audience;
  /** Error if the conversation was deleted. */
  unknown?: UnknownConversation;
}

type UnknownConversation = 'CHAT_CONVERSATION_MISMATCH' | 'RESOURCE_NOT_FOUND';

/** Responds with the answer: as a stream, or as a whole when it has ended. */
export async function answerTo(
  services: Services,
  { stream, takeStream, reserve, beginWait, holdPermitUntil, conversationId, audience, unknown }: Reply,
  ask: () => Promise<Asked>,
): Promise<RouteResponse> {
  let asked: Asked;
  try {
    asked = await ask();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    const shown = { conversationId, now: seconds(services.clock.now()), audience };
    return stream
      ? { status: 200, headers: PROTOCOL, events: () => refusalStream(refusal, shown) }
      : ok(presentRefusal(refusal, shown));
  }
  if (asked.isForPerson) {
    const shown = { now: seconds(services.clock.now()), audience };
    return stream
      ? { status: 200, headers: PROTOCOL, events: () => forPersonStream(asked, shown) }
      : ok(presentForPerson(asked, shown));
  }
  // A new answer has already taken its stream.
  if (stream && !asked.hasEnded) takeStream();
  // Release the memory of the request: it is stored, and the answer may take minutes.
  reserve(0);
  const extraction = services.conversations.extractionOf(asked);
  if (extraction) holdPermitUntil(extraction);
  else beginWait();
  if (stream) return streamOf(services, asked, { position: null, audience });
  const state = await services.conversations.end(asked);
  if (state.kind === 'message')
    return okInSlices(
      await presented(services, state.message, { id: asked.conversationId, userId: asked.userId, audience }),
    );
  const { end } = state;
  if (end === null) throw await answerGone(services, asked, unknown);
  throw new ApiError('INTERNAL_SERVER_ERROR', {
    message: 'No assistant message was produced.',
    ...(end.outcome === 'failed' ? { details: { reason: end.code } } : {}),
  });
}

/** Returns the error for an answer whose conversation or agent was deleted before it ended. */
export const answerGone = async (
  { conversationReads }: Pick<Services, 'conversationReads'>,
  { agentId }: Pick<Asked, 'agentId'>,
  unknown: UnknownConversation = 'CHAT_CONVERSATION_MISMATCH',
): Promise<ApiError> =>
  new ApiError((await conversationReads.agentExists(agentId)) ? unknown : 'AGENT_NOT_FOUND');

/** Returns the refusal to send in place of an answer if a limit was reached; null for other errors. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof RateLimited) {
    const { limit, retryAfterSeconds, userId } = error;
    return { text: limit.limitMessage, retryAfterSeconds, userId };
  }
  if (error instanceof VisitorsUnavailable)
    return { text: error.sentence, retryAfterSeconds: null, userId: null };
  return null;
}

/** Presents messages with the results of their tool calls. */
export async function presentedAll(
  { conversationReads, clock }: Services,
  messages: MessageRow[],
  conversation: Speakers,
  longestOutput?: number,
) {
  const asking = messages.filter(({ script }) => script.some(({ kind }) => kind === 'tool-call'));
  const states = await conversationReads.toolCallStates(asking.map(({ id }) => id));
  const toolCalls = new Map(states.map((call) => [call.id, call]));
  const now = seconds(clock.now());
  const presentation = { toolCalls, now, ...(longestOutput === undefined ? {} : { longestOutput }) };
  return mapInSlices(messages, (message) => presentMessage(message, conversation, presentation));
}

export async function presented(services: Services, message: MessageRow, conversation: Speakers) {
  const [only] = await presentedAll(services, [message], conversation);
  if (!only) throw new Error('a message was not presented');
  return only;
}
