import { createPool } from 'mysql2/promise';

/** A pool on the database that Cadre has filled. */
export const openPool = () =>
  createPool({ uri: process.env.DATABASE_URL, connectionLimit: 10, supportBigNumbers: true });

export const presentAgent = ({ id, name, url, created_at, settings }) => ({
  id,
  name,
  url,
  createdAt: Number(created_at),
  settings: JSON.parse(settings),
});

export const presentTraining = (row) => ({
  status: row.job_id === null ? (row.last_trained_at === null ? 'idle' : 'trained') : 'training',
  documentCount: row.web_crawl + row.file_upload + row.text_snippet + row.qna_entry,
  lastTrainedAt: row.last_trained_at,
  activeJob: null,
});

export const presentSource = (row) => ({
  id: row.id,
  title: row.title,
  sourceType: row.source_type,
  createdAt: Number(row.created_at),
  lastCrawledAt: row.last_crawled_at,
  sourceMetadata: { ...JSON.parse(row.metadata), contentHash: row.content_hash },
});

export const presentList = (rows, limit) => {
  const shown = rows.slice(0, limit);
  return {
    data: shown.map(presentSource),
    pagination: { cursor: rows.length > limit ? shown.at(-1).id : null, hasMore: rows.length > limit },
  };
};

/** Pieces of a thousand characters: what stands beside a text that is stored, at no cost worth speaking of. */
export function piecesOf(text) {
  const pieces = [];
  for (let at = 0; at < text.length; at += 1000)
    pieces.push({ start: at, end: Math.min(text.length, at + 1000), at, size: 1000, headings: [] });
  return JSON.stringify(pieces);
}
