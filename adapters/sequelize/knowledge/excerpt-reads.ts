import { timeSlices } from '../../../core/fairness/time-slices.js';
import type { SourceType } from '../../../core/knowledge/sources/source-types.js';
import type { PlacedChunk } from '../../../core/knowledge/text/chunk-text.js';
import type { ChunkRange, Excerpt, ExcerptReads } from '../../../core/ports/store/knowledge/excerpts.js';
import type { Connection, Row } from '../database/connection.js';

/** Extracts text from a JSON column, on every engine. */
const extracted = 'CAST(JSON_EXTRACT(c.chunks, ?) AS CHAR)';

/**
 * Selects one range of chunks. Texts may be megabytes, so the database cuts out the range. SUBSTR counts code points,
 * as do the offsets of chunks.
 */
const arm = `SELECT ? AS place, d.title, d.url, d.source_type, t.version,
    ${extracted} AS first_chunk, ${extracted} AS last_chunk, JSON_EXTRACT(c.chunks, ?) IS NULL AS is_last,
    SUBSTR(c.text, 1 + JSON_EXTRACT(c.chunks, ?),
      JSON_EXTRACT(c.chunks, ?) + JSON_EXTRACT(c.chunks, ?) - JSON_EXTRACT(c.chunks, ?)) AS text
  FROM documents d JOIN document_contents c ON c.document_id = d.id JOIN document_terms t ON t.document_id = d.id
  WHERE d.id = ? AND d.agent_id = ?`;

const argumentsOf = (agentId: string, { documentId, first, last }: ChunkRange, place: number) => [
  place,
  `$[${first}]`,
  `$[${last}]`,
  `$[${last + 1}]`,
  `$[${first}].at`,
  `$[${last}].at`,
  `$[${last}].size`,
  `$[${first}].at`,
  documentId,
  agentId,
];

/**
 * Ranges per statement. A range of a text of 8 MiB takes 15 ms of the event loop with SQLite, and 80 ms of the
 * statement timeout with MySQL.
 */
const RANGES = { sqlite: 1, mysql: 25 } as const;

export const createExcerptReads = ({
  read,
  dialect,
}: Pick<Connection, 'read' | 'dialect'>): ExcerptReads => ({
  async excerpts(agentId, ranges) {
    const excerpts: (Excerpt | null)[] = ranges.map(() => null);
    const pause = timeSlices();
    for (let from = 0; from < ranges.length; from += RANGES[dialect]) {
      const some = ranges.slice(from, from + RANGES[dialect]);
      const rows = await read(
        some.map(() => arm).join(' UNION ALL '),
        some.flatMap((range, n) => argumentsOf(agentId, range, from + n)),
      );
      for (const row of rows) {
        const place = Number(row.place);
        excerpts[place] = excerptOf(ranges[place] as ChunkRange, row);
      }
      await pause();
    }
    return excerpts;
  },
  async knowledge(agentId) {
    const [row] = await read('SELECT knowledge_version, removals FROM agents WHERE id = ?', [agentId]);
    return row
      ? { id: agentId, knowledgeVersion: Number(row.knowledge_version), removals: Number(row.removals) }
      : null;
  },
});

function excerptOf(range: ChunkRange, row: Row): Excerpt | null {
  // The content was replaced, or its chunks have no offsets yet.
  if (row.first_chunk === null || row.last_chunk === null || row.text === null) return null;
  const first = JSON.parse(row.first_chunk as string) as PlacedChunk;
  const last = range.first === range.last ? first : (JSON.parse(row.last_chunk as string) as PlacedChunk);
  return {
    ...range,
    sourceType: row.source_type as SourceType,
    title: row.title as string,
    url: (row.url as string | null) ?? null,
    version: Number(row.version),
    start: first.at,
    end: last.at + last.size,
    text: row.text as string,
    headings: first.headings,
    isLast: Number(row.is_last) === 1,
  };
}
