import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/**
 * @typedef {object} ModelOptions
 * @property {string} modelDir
 * @property {string} modelFile
 * @property {number} maxTokens
 * @property {'mean' | 'cls'} pooling
 * @property {number} threads
 */

/**
 * Loads a sentence encoder in ONNX format. Rejects if a file is missing or damaged.
 * @param {ModelOptions} options
 */
export async function openModel({ modelDir, modelFile, maxTokens, pooling, threads }) {
  /** @param {string} name */
  const json = async (name) => JSON.parse(await readFile(join(modelDir, name), 'utf8'));
  const tokenizer = new Tokenizer(await json('tokenizer.json'), await json('tokenizer_config.json'));
  const session = await InferenceSession.create(join(modelDir, modelFile), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
  });
  const takesTypes = session.inputNames.includes('token_type_ids');

  return {
    /**
     * Returns a vector of length 1.
     * @param {string} text
     * @returns {Promise<Float32Array>}
     */
    async embed(text) {
      const ids = cut(tokenizer.encode(text).ids, maxTokens);
      const shape = [1, ids.length];
      const filled = (/** @type {bigint} */ value) =>
        new Tensor('int64', new BigInt64Array(ids.length).fill(value), shape);
      const output = await session.run({
        input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
        attention_mask: filled(1n),
        ...(takesTypes ? { token_type_ids: filled(0n) } : {}),
      });
      const states = output.last_hidden_state ?? output[session.outputNames[0] ?? ''];
      if (states === undefined) throw new Error('the model returns no states');
      const size = states.dims.at(-1) ?? 0;
      const tokens = pooling === 'cls' ? 1 : ids.length;
      return unit(meanOf(/** @type {Float32Array} */ (states.data), tokens, size));
    },
    close: () => session.release(),
  };
}

/**
 * Keeps the mark at the end of the text.
 * @param {readonly number[]} ids
 * @param {number} most
 */
const cut = (ids, most) => (ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1) ?? 0]);

/**
 * Returns the mean of the states of the first tokens.
 * @param {Float32Array} states
 * @param {number} tokens
 * @param {number} size
 */
function meanOf(states, tokens, size) {
  const sum = new Float32Array(size);
  for (let n = 0; n < tokens; n++)
    for (let k = 0; k < size; k++) sum[k] = (sum[k] ?? 0) + (states[n * size + k] ?? 0) / tokens;
  return sum;
}

/** @param {Float32Array} vector */
function unit(vector) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((x) => x / length);
}
