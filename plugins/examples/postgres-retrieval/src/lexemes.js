/** More occurrences in one chunk hardly change the rank, and a tsvector holds at most 256 positions per lexeme. */
const MOST = 255;

/**
 * A word of an agent as a lexeme.
 * @param {string} agent the agent's key
 * @param {string} word
 */
export const lexeme = (agent, word) => `${agent}/${word}`;

/**
 * Quotes for casts to tsvector and tsquery.
 * @param {string} text
 */
export const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * Builds the text of a tsvector. A word with n occurrences has n positions, whose values mean nothing.
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
