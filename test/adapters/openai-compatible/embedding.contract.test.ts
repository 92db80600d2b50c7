import { openAiEmbedding } from '../../../adapters/openai-compatible/embedding/index.js';
import { describeEmbeddingContract, type EmbeddingScene } from '../../contracts/embedding.contract.js';
import {
  answers,
  busyFor,
  embeddingOptions,
  embeds,
  fakeVector,
  fallsSilent,
  startFakeEmbeddings,
} from '../../support/fake-embeddings.js';
import type { Play } from '../../support/fake-provider.js';
import t from '../../support/t.js';

function playOf(scene: EmbeddingScene): Play {
  switch (scene.does) {
    case 'embed':
      return embeds();
    case 'give another length':
      return embeds((vectors) => [...vectors.slice(0, -1), fakeVector('short', 5)]);
    case 'leave one out':
      return embeds((vectors) => vectors.slice(1));
    case 'refuse':
      return answers(401, { error: { message: 'Incorrect API key provided' } });
    case 'be busy':
      return busyFor(scene.retryAfterSeconds);
    case 'fall silent':
      return fallsSilent();
  }
}

describeEmbeddingContract({ test: (name, body) => t.test(name, body) }, async (scene) => {
  const provider = await startFakeEmbeddings(playOf(scene));
  return {
    plugin: openAiEmbedding,
    options: embeddingOptions(provider.baseUrl),
    close: () => provider.close(),
  };
});
