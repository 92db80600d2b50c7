import { read } from './database.js';
import { lexeme, quoted } from './lexemes.js';

/**
 * @import { SearchAnswer, SearchHit, SearchRequest } from 'cadre/plugin'
 * @import { Database } from './database.js'
 */

/** Timeout of a search. */
const ANSWER_MS = 10_000;
/** Maximum query terms. A query may be a whole page; its rarest words are used. */
const MOST_TERMS = 256;
/** Common terms are skipped once this many chunks contain a rarer one, because other chunks would rank lower. */
const ENOUGH = 2000;

/* The usual constants of BM25. */
const K1 = 1.2;
const B = 0.75;

const inverseFrequency = (/** @type {number} */ chunks, /** @type {number} */ frequency) =>
  Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));

/**
 * @param {Database} database
 * @param {SearchRequest} request
 * @returns {Promise<SearchAnswer>}
 */
export const search = async (database, { agent, terms, limit, sourceTypes }) => {
  const ask = (/** @type {string} */ text, /** @type {unknown[]} */ values) =>
    read(database, ANSWER_MS, text, values);
  const [known] = await ask(
    'SELECT key, knowledge_version, documents, chunks, words FROM agents WHERE id = $1',
    [agent.id],
  );
  if (known === undefined)
    return { hits: [], chunks: 0, frequencies: terms.map(() => 0), documents: 0, knowledgeVersion: 0 };
  const chunks = Number(known.chunks);
  const lexemes = terms.map(({ term }) => lexeme(known.key, term));
  const frequencies = (
    await ask(
      `SELECT (SELECT count(*) FROM chunks WHERE words @@ asked.q::tsquery) AS frequency
         FROM unnest($1::text[]) WITH ORDINALITY AS asked (q, n) ORDER BY n`,
      [lexemes.map(quoted)],
    )
  ).map(({ frequency }) => Number(frequency));
  const answer = {
    chunks,
    frequencies,
    documents: Number(known.documents),
    knowledgeVersion: Number(known.knowledge_version),
  };
  const chosen = [...terms.keys()]
    .filter((n) => Number(frequencies[n]) > 0)
    .sort((a, b) => Number(frequencies[a]) - Number(frequencies[b]))
    .slice(0, MOST_TERMS);
  if (chosen.length === 0) return { ...answer, hits: [] };
  const wanted = chosen.map((n) => String(lexemes[n]));
  let candidates = 0;
  const telling = wanted.filter((_, n) => {
    if (candidates >= ENOUGH) return false;
    candidates += Number(frequencies[Number(chosen[n])]);
    return true;
  });
  const weights = chosen.map(
    (n) => Number(terms[n]?.weight) * inverseFrequency(chunks, Number(frequencies[n])) * (K1 + 1),
  );
  const rows = await ask(
    `SELECT d.id, d.source_type, d.version, c.chunk,
        (SELECT sum(w * cardinality(positions) / (cardinality(positions) + ${K1} * (${1 - B} + ${B} * c.length / $4::float8)))
           FROM unnest(c.words) JOIN unnest($2::text[], $3::float8[]) AS asked (lexeme, w) USING (lexeme)) AS score
       FROM chunks c JOIN documents d ON d.agent = c.agent AND d.id = c.document
       WHERE c.words @@ $1::tsquery AND ($5::text[] IS NULL OR d.source_type = ANY($5))
       ORDER BY score DESC, d.id, c.chunk LIMIT $6`,
    [telling.map(quoted).join(' | '), wanted, weights, Number(known.words) / chunks, sourceTypes, limit],
  );
  return { ...answer, hits: rows.map(hitOf) };
};

/**
 * @param {Record<string, any>} row
 * @returns {SearchHit}
 */
const hitOf = ({ id, source_type, version, chunk, score }) => ({
  documentId: id,
  sourceType: source_type,
  version: Number(version),
  chunk,
  score,
});
