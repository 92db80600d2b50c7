import { Type } from '@sinclair/typebox';
import { sourceTypes } from '../../knowledge/sources/source-types.js';
import { limits } from '../../schemas/limits.js';
import { nullable, oneOf, uuid } from '../../schemas/shapes.js';

export const searchBody = Type.Object(
  {
    query: Type.String({
      minLength: limits.question.min,
      maxLength: limits.question.max,
      notBlank: true,
      description: 'Question or search terms, in any language',
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: limits.hits.min,
        maximum: limits.hits.max,
        default: limits.hits.default,
        description: 'Maximum number of passages',
      }),
    ),
    sourceType: Type.Optional(oneOf(sourceTypes, { description: 'Only in sources of this type' })),
  },
  { $id: 'SearchRequest' },
);

const hit = Type.Object(
  {
    documentId: uuid('Document id'),
    title: Type.String(),
    url: nullable(Type.String({ description: 'URL of a page; null for other sources' })),
    sourceType: oneOf(sourceTypes),
    start: Type.Integer({ minimum: 0, description: 'Offset in the content, in code points' }),
    end: Type.Integer({ minimum: 0, description: 'End offset, exclusive' }),
    text: Type.String({ description: 'The content from `start` to `end`' }),
    score: Type.Number({ description: 'Higher is better; comparable within one search only' }),
  },
  { $id: 'Hit' },
);

export const hitsSchema = Type.Object(
  {
    data: Type.Array(hit, { description: 'Best first' }),
    covered: Type.Boolean({
      description:
        'Whether the best passage covers the query. Without a language model, the agent quotes the passage only in this case.',
    }),
    nearest: Type.Optional(
      Type.Object(
        {
          documentId: uuid('Document id'),
          title: Type.String(),
          text: Type.String({ description: 'The sentence, row or list item' }),
          similarity: Type.Number({ description: 'Cosine similarity to the query, -1 to 1' }),
          coverage: Type.Number({
            description:
              'Share of the query, 0 to 1, that the best passage covers by its words. It is subtracted from the similarity before `answeringSimilarity` is compared.',
          }),
        },
        {
          $id: 'NearestSentence',
          description:
            'The sentence that is nearest to the query, only if an embedding model is configured and no words cover the query',
        },
      ),
    ),
  },
  { $id: 'Hits' },
);
