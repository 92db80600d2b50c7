import { Type } from '@sinclair/typebox';
import { textOf } from '../../conversations/script-writer.js';
import { sourceTypes } from '../../knowledge/sources/source-types.js';
import type { MessageRow } from '../../ports/store/conversations/conversation-rows.js';
import { ask } from '../../retrieval/ask.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { oneOf } from '../../schemas/shapes.js';
import { awaitAnswer, endOf } from '../conversations/answer-in-progress.js';
import { askerOf } from '../conversations/answers.js';
import { metadataIn } from '../conversations/message-metadata.js';
import { presentHits } from '../search/search.presenter.js';
import { optional, sourceLine, type Tool, type ToolContext, tool } from './tool.js';

/** Numbers of passages. They are small, because a model reads all of them. */
const HITS = { default: 5, max: 20 };
/** Minimum time between two notifications of progress. */
const PROGRESS_MS = 250;

const question = (description: string) =>
  Type.String({
    minLength: limits.question.min,
    maxLength: limits.question.max,
    notBlank: true,
    description,
  });

export const askTool: Tool = tool({
  name: 'ask',
  title: 'Ask an agent',
  description:
    'Get a written answer from an agent, with the sources that it cites. The agent uses only its own sources, and says so if they contain no answer. It does not see this conversation: put all necessary context into the question, and ask one thing at a time.',
  permission: 'chat',
  input: Type.Object({ question: question('The whole question, in any language') }),
  async run({ question }, context) {
    const { services, request, call } = context;
    const asker = askerOf(services, { ...request, ...context, idempotency: null });
    const history = [{ role: 'user' as const, text: question }];
    const begun = await services.conversations.unstored.answer(asker, {
      history,
      tools: [],
      round: 0,
      userId: null,
    });
    const answer = { ...begun, conversationId: null };
    request.reserve(0);
    awaitAnswer(request, answer);
    if (call.signal.aborted) answer.stop();
    else call.signal.addEventListener('abort', answer.stop, { once: true });
    return presentAnswer(await endOf(answer, progressOf(context)));
  },
});

/** Returns a function that reports the growing text: `progress` is its length, `message` the new part. */
function progressOf({ call }: ToolContext): (message: MessageRow) => void {
  let reported = 0;
  let reportedAt = 0;
  return ({ script }) => {
    const text = textOf(script);
    if (text.length <= reported || performance.now() - reportedAt < PROGRESS_MS) return;
    call.progress(text.length, text.slice(reported));
    reported = text.length;
    reportedAt = performance.now();
  };
}

function presentAnswer(message: MessageRow) {
  const answer = textOf(message.script);
  const sources = (message.citations ?? []).map(
    (citation) => `[${citation.sourceId}] ${sourceLine(citation)}`,
  );
  return {
    text: [answer, ...(sources.length === 0 ? [] : [`Sources:\n${sources.join('\n')}`])].join('\n\n'),
    structured: { answer, ...metadataIn('mcp', message) },
  };
}

export const searchTool: Tool = tool({
  name: 'search',
  title: "Search an agent's sources",
  description:
    'Find the passages of the sources that match a question best, word for word. Use it to quote, to compare, or to look for several things. `covered` is false if the passages probably do not answer the question.',
  permission: 'search',
  input: Type.Object({
    query: question('Question or search terms, in any language'),
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: HITS.max,
        default: HITS.default,
        description: 'Maximum number of passages',
      }),
    ),
    sourceType: optional(oneOf(sourceTypes, { description: 'Only in sources of this type' })),
  }),
  async run({ query, limit = HITS.default, sourceType }, { agent, services }) {
    const result = await ask(services.search, {
      agent,
      question: query,
      limit,
      sourceTypes: sourceType === undefined ? null : [sourceType],
    });
    const { data, covered } = presentHits(result);
    const passages = data.map((hit, n) => `${n + 1}. ${sourceLine(hit)}\n${hit.text}`);
    const notes = [
      ...(passages.length === 0 ? ['The sources contain nothing about this.'] : []),
      ...(passages.length > 0 && !covered ? ['These passages probably do not answer the question.'] : []),
    ];
    return {
      text: [...notes, ...passages].join('\n\n'),
      structured: { passages: data as unknown as JsonObject[], covered },
    };
  },
});
