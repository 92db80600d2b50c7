import { type Static, Type } from '@sinclair/typebox';

const payload = Type.Object({
  storagePath: Type.String(),
  fileName: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** Opaque version from the registration. Another version of the object is rejected. */
  etag: Type.String(),
  /** Read by the API only: return a document with the same text instead of creating one. */
  unique: Type.Optional(Type.Boolean()),
  /** Read by the API only: the client's id of the document. */
  externalId: Type.Optional(Type.String()),
});
export type ParseFilePayload = Static<typeof payload>;

/** Read one uploaded file and extract its text. */
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
  noRetry: 'A file that failed is gone from storage: upload it again.',
};
