import test from 'node:test';
import { describeEmbeddingContract } from 'cadre/contracts/embedding';
import { describeModelContract } from 'cadre/contracts/model';
import embedding from '../embedding.js';
import model from '../model.js';
import { line, openInferenceServer } from './inference-server.js';

const NAME = 'vendorB/familyB-haiku-4-5';

describeModelContract({ test }, async (scene) => {
  const { url, close } = await openInferenceServer((response) => {
    if (scene.does === 'refuse') return response.writeHead(401).end();
    if (scene.does === 'call') return response.end(line({ done: true }));
    for (const text of scene.texts) response.write(line({ text }));
    if (scene.does === 'break off') setTimeout(() => response.destroy(), 50);
    if (scene.does !== 'say') return;
    const { input, output } = scene.usage ?? {};
    response.end(line({ done: true, inputTokens: input, outputTokens: output }));
  });
  const options = { url, model: 'writer-1', serves: [NAME], contextTokens: 32_000 };
  return { plugin: model, options, model: NAME, close };
});

/** Equal vectors for equal texts only. @param {string} text */
const vectorOf = (text) => [...text.padEnd(40)].slice(0, 40).map((letter) => letter.codePointAt(0) ?? 0);

describeEmbeddingContract({ test }, async (scene) => {
  const { url, close } = await openInferenceServer((response, { texts }) => {
    if (scene.does === 'fall silent') return;
    if (scene.does === 'refuse') return response.writeHead(401).end();
    if (scene.does === 'be busy')
      return response.writeHead(429, { 'retry-after': String(scene.retryAfterSeconds) }).end();
    const vectors = texts.map(vectorOf);
    if (scene.does === 'leave one out') vectors.pop();
    if (scene.does === 'give another length') vectors.at(-1)?.push(1);
    response.end(JSON.stringify({ vectors }));
  });
  const options = { url, model: 'vectors-1', leastSimilarity: 0.3 };
  return { plugin: embedding, options, close };
});
