import { type TSchema, Type } from '@sinclair/typebox';
import { failureOf } from '../../conversations/answer-failures.js';
import { shownCitations } from '../../conversations/script-writer.js';
import { sourceTypes } from '../../knowledge/sources/source-types.js';
import type { Usage } from '../../ports/store/conversations/answer.js';
import { conversationStates, type MessageRow } from '../../ports/store/conversations/conversation-rows.js';
import { answerOutcomes } from '../../schemas/answer-outcomes.js';
import type { JsonObject, JsonValue } from '../../schemas/json.js';
import { nullable, oneOf, uuid } from '../../schemas/shapes.js';

/*
 * The metadata of a message: schema, value and audience of each field. The API, the widget, the OpenAI interface, MCP and
 * the command `ask` derive their metadata from this table.
 */

/** Reader of the messages: a client with an API key, or a visitor. */
export type Audience = 'key' | 'visitor';

/** What messages show of their conversation, and to whom. */
export interface Speakers {
  id: string;
  userId: string | null;
  audience: Audience;
}

interface Field {
  schema: TSchema;
  /** Returns undefined if the message has no such field. */
  of(message: MessageRow, speakers: Speakers): JsonValue | undefined;
  /** The part that visitors see. If absent, they do not see the field. */
  visitor?: 'all' | { schema: TSchema; of(value: JsonValue): JsonValue };
  /** Other interfaces than the API that show the field. */
  alsoIn?: readonly ('openai' | 'mcp')[];
  /** Label in the terminal, below the answer. */
  label?: string;
}

const optional = Type.Optional;

export const messageId = Type.String({
  pattern: '^[1-9][0-9]*$',
  description: 'Message id; larger ones are newer',
});

const usage = Type.Object(
  {
    credits: Type.Number({ minimum: 0, description: 'Price of the answer' }),
    inputTokens: nullable(
      Type.Integer({ minimum: 0, description: 'Count of the provider; null if it does not count tokens' }),
    ),
    outputTokens: nullable(Type.Integer({ minimum: 0 })),
  },
  { $id: 'Usage' },
);

const citation = Type.Object(
  {
    sourceId: Type.String({ description: '`[n]` in the text cites sourceId n' }),
    documentId: uuid('Document id'),
    sourceType: oneOf(sourceTypes),
    title: Type.String(),
    url: nullable(Type.String()),
    start: Type.Integer({ minimum: 0, description: 'Offset in the content of the document, in code points' }),
    end: Type.Integer({ minimum: 0, description: 'Exclusive' }),
    quote: Type.String({ description: 'The cited text, as it was when the answer was written' }),
  },
  { $id: 'Citation' },
);

const usedDocument = Type.Object(
  { documentId: uuid('Document id'), title: Type.String(), url: nullable(Type.String()) },
  { $id: 'UsedDocument' },
);

const failure = Type.Object({ code: Type.String(), message: Type.String() });

/** Initial messages are not answers. */
const isInitial = ({ role, userMessageId, author }: MessageRow): boolean =>
  role === 'assistant' && userMessageId === null && author === null;

const closed = { additionalProperties: false };

const fields = {
  conversationId: {
    schema: nullable(uuid('Conversation id; null if nothing was stored')),
    of: (_, { id }) => id,
    visitor: 'all',
  },
  userId: {
    schema: optional(nullable(Type.String())),
    of: (message, { userId }) => (isInitial(message) ? undefined : userId),
  },
  userMessageId: {
    schema: optional(nullable(messageId)),
    of: ({ userMessageId }) => (userMessageId === null ? undefined : String(userMessageId)),
    visitor: 'all',
  },
  finishReason: {
    schema: optional(oneOf(['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'])),
    of: ({ finishReason }) => finishReason ?? undefined,
    visitor: 'all',
  },
  model: {
    schema: optional(Type.String({ description: 'Model that answered' })),
    of: ({ model }) => model ?? undefined,
    alsoIn: ['openai'],
  },
  usage: {
    schema: optional(usage),
    of: ({ usage }) => (usage === null ? undefined : presentUsage(usage)),
  },
  citations: {
    schema: optional(Type.Array(citation)),
    of: ({ citations, userMessageId, script }) =>
      (citations ?? (userMessageId === null ? undefined : shownCitations(script)))?.map((cited) => ({
        ...cited,
      })),
    visitor: {
      schema: optional(
        Type.Array(
          Type.Object({ sourceId: Type.String(), title: Type.String(), url: Type.String() }, closed),
        ),
      ),
      of: (citations) =>
        (citations as JsonObject[]).map(({ sourceId = null, title = null, url = null }) => ({
          sourceId,
          title,
          url,
        })),
    },
    alsoIn: ['openai', 'mcp'],
  },
  outcome: {
    schema: optional(
      oneOf(answerOutcomes, {
        description:
          '`answered`: the answer cites a source; `suggested`: it names sources that are related but do not cover the question; `unanswered`: neither. Absent on initial, failed, rate-limited and small-talk messages, on calls of tools, and on stopped answers without a citation',
      }),
    ),
    of: ({ outcome }) => outcome ?? undefined,
    alsoIn: ['openai', 'mcp'],
    label: 'Outcome',
  },
  offer: {
    schema: optional(
      Type.Boolean({
        description:
          'For visitors: true below an answer that does not answer the question, unless the handover setting `offer` is `never`, and below the answer to a message that asks for a person: a front end can offer a person or a contact form',
      }),
    ),
    // Answers of earlier versions have only the outcome.
    of: ({ outcome, offer }, { audience }) =>
      audience === 'visitor' && (offer ?? (outcome !== null && outcome !== 'answered')) ? true : undefined,
    visitor: 'all',
  },
  sources: {
    schema: optional(
      Type.Array(usedDocument, {
        description:
          'Documents that the answer was written from, best first; of a stopped answer, those that it cites',
      }),
    ),
    of: ({ sources }) => sources?.map((source) => ({ ...source })),
  },
  state: {
    schema: optional(
      oneOf(conversationStates, {
        description:
          'At the end of a stream to a visitor: the state of the conversation, because a person may have taken it over',
      }),
    ),
    of: () => undefined,
    visitor: 'all',
  },
  error: {
    schema: optional(failure),
    of: ({ errorCode }) => (errorCode === null ? undefined : failureOf(errorCode)),
    visitor: {
      schema: optional(Type.Object({ code: Type.String() }, closed)),
      of: (error) => ({ code: (error as JsonObject).code ?? null }),
    },
  },
  author: {
    schema: optional(
      Type.Object(
        { type: oneOf(['human']), name: Type.String() },
        { description: 'The person who has written the message in place of the agent' },
      ),
    ),
    of: ({ author }, { audience }) =>
      author === null
        ? undefined
        : { type: 'human', name: audience === 'visitor' ? author.shownName : author.name },
    visitor: 'all',
  },
  handledBy: {
    schema: optional(
      oneOf(['human'], { description: 'There is no answer: a person will answer the message' }),
    ),
    // The response to a message for a person, which is not stored.
    of: () => undefined,
    visitor: 'all',
  },
  rateLimited: {
    schema: optional(Type.Object({ retryAfterSeconds: Type.Integer({ minimum: 1 }) })),
    // Only refusals have it, and they are not stored.
    of: () => undefined,
    visitor: 'all',
  },
} satisfies Record<string, Field>;

type Fields = typeof fields;
const allFields: [name: string, field: Field][] = Object.entries(fields);

/** Collects the values of the fields that have one. */
const collected = (of: (field: Field, name: string) => JsonValue | undefined): JsonObject =>
  Object.fromEntries(
    allFields.flatMap(([name, field]) => {
      const value = of(field, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

export const metadataSchema = Type.Object(
  Object.fromEntries(allFields.map(([name, { schema }]) => [name, schema])) as {
    [F in keyof Fields]: Fields[F]['schema'];
  },
  { $id: 'MessageMetadata' },
);

/** For an answer that belongs to no conversation. */
export const unstoredMetadataSchema = Type.Omit(metadataSchema, ['conversationId', 'userId'], {
  $id: 'UnstoredMetadata',
});

export const visitorMetadataSchema = Type.Object(
  Object.fromEntries(
    allFields.flatMap(([name, { schema, visitor }]) =>
      visitor === undefined ? [] : [[name, visitor === 'all' ? schema : visitor.schema]],
    ),
  ),
  closed,
);

export const presentUsage = ({ credits, inputTokens, outputTokens }: Usage): JsonObject => ({
  credits,
  inputTokens,
  outputTokens,
});

/** Removes from metadata what visitors must not see: model, price, tokens, quotations, documents, outcome. */
export function metadataFor(audience: Audience, metadata: JsonObject): JsonObject {
  if (audience === 'key') return metadata;
  return collected(({ visitor }, name) => {
    const value = metadata[name];
    if (value === undefined || visitor === undefined) return undefined;
    return visitor === 'all' ? value : visitor.of(value);
  });
}

export const presentMetadata = (message: MessageRow, speakers: Speakers): JsonObject =>
  metadataFor(
    speakers.audience,
    collected(({ of }) => of(message, speakers)),
  );

/** Fields outside the API do not depend on the conversation. */
const NO_SPEAKERS: Speakers = { id: '', userId: null, audience: 'key' };

/** Returns the metadata of an answer that the OpenAI interface or MCP shows. */
export const metadataIn = (place: 'openai' | 'mcp', message: MessageRow): JsonObject =>
  collected(({ of, alsoIn }) => (alsoIn?.includes(place) ? of(message, NO_SPEAKERS) : undefined));

/** Returns a line for the terminal for each field with a label. */
export const metadataLines = (message: MessageRow): string[] =>
  allFields.flatMap(([, { of, label }]) => {
    const value = label === undefined ? undefined : of(message, NO_SPEAKERS);
    return value === undefined ? [] : [`${label}: ${value}`];
  });
