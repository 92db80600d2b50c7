import { type Static, Type } from '@sinclair/typebox';

const payload = Type.Object({
  storagePath: Type.String(),
  fileName: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** Opaque version of the object when it was registered. Another version is rejected. */
  etag: Type.String(),
  /** For the API only: use an existing document with the same text instead of creating one. */
  unique: Type.Optional(Type.Boolean()),
  /** For the API only: the client's id of the document. */
  externalId: Type.Optional(Type.String()),
});
export type ParseFilePayload = Static<typeof payload>;

/** Reads one uploaded file and extracts its text. */
export const parseFile = {
  payload,
  attempts: 1,
  timeout: 1,
  slots: 1,
  target: ({ fileName }: ParseFilePayload) => fileName,
  counter: {
    name: 'parse_files_total',
    help: 'Attempts to read a file, by outcome: succeeded, or failure code',
  },
  noRetry: 'A file that failed is deleted from storage: upload it again.',
};
