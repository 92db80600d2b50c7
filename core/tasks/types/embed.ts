import { type Static, Type } from '@sinclair/typebox';

const payload = Type.Object({
  /** Vector space of the model. */
  space: Type.String({ minLength: 1, maxLength: 200 }),
  /** Path of the storage object with the texts, in the order of the documents and their chunks. */
  input: Type.String(),
  documents: Type.Array(
    Type.Object({
      documentId: Type.String(),
      version: Type.Integer({ minimum: 0 }),
      chunks: Type.Integer({ minimum: 0 }),
    }),
  ),
});
export type EmbedPayload = Static<typeof payload>;

/**
 * Embeds the chunks of some documents. No client waits for the result, so there are enough attempts for a 30-minute
 * outage of the model. Each attempt must end before the broker's delivery acknowledgement timeout (30 minutes).
 */
export const embed = {
  payload,
  attempts: 10,
  timeout: 4,
  slots: 0.25,
  target: ({ documents: { length } }: Pick<EmbedPayload, 'documents'>) =>
    `${length} ${length === 1 ? 'document' : 'documents'}`,
  counter: {
    name: 'embed_batches_total',
    help: 'Attempts to embed documents, by outcome: succeeded, or failure code',
  },
  noRetry: 'Failed tasks are retried automatically.',
};

/** Encodes the texts of an embedding task for the storage, because a message contains only small values. */
export const encodeTexts = (texts: readonly string[]): Buffer => Buffer.from(JSON.stringify(texts));

/** Decodes the texts; null if the object is damaged or of another format. */
export function decodeTexts(bytes: Buffer): string[] | null {
  try {
    const texts: unknown = JSON.parse(bytes.toString('utf8'));
    return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : null;
  } catch {
    return null;
  }
}
