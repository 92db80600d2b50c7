import type { SourceType } from '../../../core/knowledge/sources/source-types.js';
import type { NewContent } from '../../../core/ports/store/rows.js';
import { ANALYSIS } from '../../../core/retrieval/analysis/analyse.js';
import type { Connection } from '../database/connection.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { contents, terms } from '../tables/documents.js';
import { type Undo, undoableMap } from './undo.js';

/** If `text` is null, the stored text and its chunks stay. */
export type KeptContent = Omit<NewContent, 'text'> & { text: string | null };

type Content = KeptContent & {
  agentId: string;
  sourceType: SourceType;
  /** The agent's knowledge version that adds it. */
  version: number;
};

/** Contents and index terms of documents that the turn will write. */
export interface Contents {
  set(documentId: string, content: Content): void;
  drop(documentId: string): void;
  write(statements: Statements, dialect: Connection['dialect']): Promise<void>;
}

export function createContents(undo: Undo): Contents {
  const waiting = undoableMap<string, Content | null>(undo);
  return {
    set: waiting.set,
    drop: (documentId) => waiting.set(documentId, null),
    async write(statements, dialect) {
      const found = [...waiting.map].flatMap(([documentId, content]) =>
        content ? [{ ...content, documentId }] : [],
      );
      waiting.clear();
      // One row of each kind per document: a replaced content gets a new version.
      await Promise.all([
        insertRows(
          statements,
          contents.name,
          found.flatMap(({ documentId, agentId, text, chunks }) =>
            text === null ? [] : [contents.byColumn(contents.encode({ documentId, agentId, text, chunks }))],
          ),
          { dialect, key: 'document_id', columns: ['text', 'chunks'] },
        ),
        insertRows(
          statements,
          terms.name,
          found.map(({ documentId, agentId, version, sourceType, segment }) =>
            terms.byColumn(
              terms.encode({
                documentId,
                agentId,
                version,
                analysis: ANALYSIS,
                sourceType,
                segment: Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength),
              }),
            ),
          ),
          { dialect, key: 'document_id', columns: ['version', 'analysis', 'source_type', 'segment'] },
        ),
      ]);
    },
  };
}
