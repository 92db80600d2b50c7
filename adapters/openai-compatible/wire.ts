import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';

/* Schemas of responses. Providers add their own fields, and write null for missing values. */

const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

const ToolCallFragment = Type.Object({
  index: maybe(Type.Integer({ minimum: 0 })),
  function: maybe(Type.Object({ name: maybe(Type.String()), arguments: maybe(Type.String()) })),
});
/** A fragment of a streamed tool call. */
export type ToolCallFragment = Static<typeof ToolCallFragment>;

const Chunk = Type.Object({
  choices: maybe(
    Type.Array(
      Type.Object({
        delta: maybe(
          Type.Object({
            content: maybe(Type.String()),
            refusal: maybe(Type.String()),
            tool_calls: maybe(Type.Array(ToolCallFragment)),
          }),
        ),
        finish_reason: maybe(Type.String()),
      }),
    ),
  ),
  usage: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
});

const Usage = Type.Object({
  prompt_tokens: Type.Optional(Type.Unknown()),
  completion_tokens: Type.Optional(Type.Unknown()),
});

/** The maximum is higher than any model supports. */
const TokenCount = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 });

const Embeddings = Type.Object({
  data: Type.Array(
    Type.Object({
      index: maybe(Type.Integer({ minimum: 0 })),
      embedding: Type.Array(Type.Number(), { minItems: 1 }),
    }),
  ),
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true, validateSchema: false });

/** Returns a validator that is compiled on first use. */
function guard<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  let validate: ((value: unknown) => boolean) | undefined;
  return (value): value is Static<S> => {
    validate ??= ajv.compile(schema);
    return validate(value);
  };
}

/** Validators of a stream's event, of its usage and token counts, and of a response with vectors. */
export const isChunk = guard(Chunk);
export const isUsage = guard(Usage);
export const isTokenCount = guard(TokenCount);
export const isEmbeddings = guard(Embeddings);
