import { randomUUID } from 'node:crypto';
import { startSchemaThreads } from '../adapters/threads/schema-threads.js';
import { createAnswering } from '../core/answering.js';
import { failureOf } from '../core/conversations/answer-failures.js';
import type { AnswerState } from '../core/conversations/answer-state.js';
import type { Asked } from '../core/conversations/asking.js';
import type { Conversations } from '../core/conversations/conversations.js';
import { textOf } from '../core/conversations/script-writer.js';
import { RateLimited } from '../core/conversations/speaking-rate.js';
import { findVisible, keyViewer } from '../core/conversations/viewer.js';
import { ApiError } from '../core/errors/api-error.js';
import { type Log, silentLog } from '../core/ports/log.port.js';
import { ModelBusy } from '../core/ports/model.port.js';
import type { MessageRow } from '../core/ports/store/conversations/conversation-rows.js';
import type { AgentState } from '../core/ports/store/rows.js';
import { entitlementsUnder } from '../core/workspaces/entitlements.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';
import { withPorts } from './ports.js';

/** A question to an agent, with callbacks for the progress of the answer. */
export interface Asking {
  agent: AgentState;
  question: string;
  /** Undefined starts a new conversation. */
  conversationId: string | undefined;
  /** Receives the answer piece by piece. */
  hear: (text: string) => void;
  /** Receives warnings and errors for the operator. */
  note: (text: string) => void;
  /** Aborts the answer. Text that was already written is kept. */
  signal: AbortSignal;
}

/** A finished answer, with text or a failure. */
export interface Answered {
  message: MessageRow;
  conversation: { id: string; userId: string | null };
}

const IDLE_MS = 60_000;
const notMeasured = {
  models: { modelCalled() {}, providerFailed() {} },
  answer() {},
  fusion() {},
};

/**
 * Asks like POST …/chat: the conversation is stored and counted. This process generates the answer itself, even if a
 * server is running. Throws CONVERSATION_NOT_FOUND, BUSY, or ANSWER_FAILED if no text was produced.
 */
export async function ask(installation: Installation, asking: Asking): Promise<Answered> {
  const { store, settings, plans, clock } = installation;
  const { agent, conversationId } = asking;
  const log = noting(asking.note);
  if (
    conversationId !== undefined &&
    !(await findVisible(store.conversations, agent.id, conversationId, keyViewer))
  )
    throw new CliError('CONVERSATION_NOT_FOUND', `The agent has no conversation "${conversationId}".`);
  const [answering, workspace] = await Promise.all([
    store.reads.agentWithSettings(agent.workspaceId, agent.id),
    store.workspaces.find(agent.workspaceId),
  ]);
  if (answering === null || workspace === null)
    throw new CliError('AGENT_NOT_FOUND', 'The agent was deleted.');
  return withPorts(installation, ['model', 'embedding', 'retrieval'], log, async (ports) => {
    const toolSchemas = startSchemaThreads(log);
    const { conversations } = createAnswering({
      store,
      toolSchemas,
      ports,
      settings,
      clock,
      metrics: notMeasured,
      log,
    });
    const asker = {
      ...answering,
      models: entitlementsUnder(plans)(workspace).models,
      isVisitor: false,
      viewer: keyViewer,
      share: workspace.id,
      visitor: null,
      requestId: randomUUID(),
      key: null,
    };
    const message = { message: asking.question, conversationId, userId: undefined, tools: undefined };
    try {
      const asked = await conversations.chat(asker, message).catch((error: unknown) => {
        throw refusalOf(error);
      });
      const state = await follow(conversations, asked, asking);
      return answered(state, asked);
    } finally {
      await toolSchemas.close();
    }
  });
}

/** Passes on the text until the answer has ended. */
async function follow(conversations: Conversations, asked: Asked, { hear, signal }: Asking) {
  const stop = async () => {
    const conversation = await conversations.known(asked.agentId, asked.conversationId, keyViewer);
    return conversations.stop(conversation, conversation.workspaceId).catch(() => false);
  };
  const onAbort = () => void stop();
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  let heard = 0;
  let last: AnswerState | null = null;
  const never = new AbortController().signal;
  for await (const state of conversations.follow(asked, { idleMs: IDLE_MS, signal: never })) {
    if (state === 'idle') continue;
    last = state;
    if (state.kind !== 'message') continue;
    const text = textOf(state.message.script);
    if (text.length > heard) hear(text.slice(heard));
    heard = text.length;
  }
  signal.removeEventListener('abort', onAbort);
  // The model permit is released and the last line is logged shortly after the end of the answer.
  await conversations.answers.settled(IDLE_MS);
  return last;
}

function answered(state: AnswerState | null, { conversationId: id, userId }: Asked): Answered {
  if (state?.kind === 'message') return { message: state.message, conversation: { id, userId } };
  const end = state?.end ?? null;
  throw new CliError(
    'ANSWER_FAILED',
    end?.outcome === 'failed' ? failureOf(end.code).message : 'The answer ended before any text.',
  );
}

function refusalOf(error: unknown): unknown {
  if (error instanceof RateLimited) return new CliError('BUSY', error.limit.limitMessage, { cause: error });
  if (error instanceof ModelBusy || (error instanceof ApiError && error.status === 503))
    return new CliError('BUSY', 'The conversation or the model is busy.', { cause: error });
  if (error instanceof ApiError && error.code === 'CHAT_CONVERSATION_MISMATCH')
    return new CliError('CONVERSATION_NOT_FOUND', 'The conversation was deleted.', { cause: error });
  return error;
}

/** Returns a log that passes on the warnings and errors that a server would log. */
function noting(note: (text: string) => void): Log {
  const tell = (fields: object, message: string) => {
    const { err } = fields as { err?: unknown };
    note(err instanceof Error ? `${message}: ${err.message}` : message);
  };
  const log: Log = { ...silentLog, warn: tell, error: tell, child: () => log };
  return log;
}
