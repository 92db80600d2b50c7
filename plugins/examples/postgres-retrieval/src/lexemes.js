/** More of the same word in one chunk tells nothing more, and a tsvector holds 256 positions of one at most. */
const MOST = 255;

/**
 * A word of an agent, as it stands in its tsvectors.
 * @param {string} agent the agent's key
 * @param {string} word
 */
export const lexeme = (agent, word) => `${agent}/${word}`;

/**
 * Quoted for the casts to tsvector and tsquery.
 * @param {string} text
 */
export const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * The text of a tsvector; a word that stands there n times has n positions, which say nothing else.
 * @param {string} agent
 * @param {ReadonlyMap<string, number>} words
 */
export const vectorOf = (agent, words) =>
  [...words]
    .map(([word, count]) => `${quoted(lexeme(agent, word))}:${positions(Math.min(count, MOST))}`)
    .join(' ');

/** @type {string[]} */
const made = [];

const positions = (/** @type {number} */ count) => {
  made[count] ??= Array.from({ length: count }, (_, n) => n + 1).join(',');
  return made[count];
};
