import { type Static, Type } from '@sinclair/typebox';
import { parseFile } from './parse-file.js';

const payload = Type.Object({
  ...parseFile.payload.properties,
  /** Pages that may be pictures of text, from 1. */
  pages: Type.Array(Type.Integer({ minimum: 1 })),
  /** Locale of the widget in the agent's settings. */
  language: Type.Union([Type.String(), Type.Null()]),
});
export type RecognisePagesPayload = Static<typeof payload>;

/**
 * Recognises the text of scanned pages, then reads the file with it. A task of type `parse_file` that finds such pages
 * becomes this type, so a file stays one task. An attempt must end before the broker's delivery acknowledgement timeout
 * (30 minutes).
 */
export const recognisePages = {
  payload,
  attempts: 2,
  timeout: 4,
  slots: 1,
  target: ({ fileName }: RecognisePagesPayload) => fileName,
  counter: {
    name: 'recognise_pages_total',
    help: 'Attempts to recognise the scanned pages of a file, by outcome: succeeded, or failure code',
  },
  noRetry: parseFile.noRetry,
};
