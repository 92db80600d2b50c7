import { embeddingSchema } from '../../../adapters/openai-compatible/embedding/options.js';
import { optionsSchema as modelSchema } from '../../../adapters/openai-compatible/options.js';
import { checkOptions } from '../../../plugins/check-options.js';
import { modelSettings } from '../../../web/console/src/pages/models/model-settings.js';
import t from '../../support/t.js';

t.test('the plugins accept the settings that the console shows', async (t) => {
  for (const apiKeyFile of ['', '/run/secrets/llm']) {
    const server = { baseUrl: 'https://llm.acme.com/v1', model: 'm', apiKeyFile };
    const { model } = modelSettings('model', server).plugins;
    t.ok('options' in checkOptions(modelSchema, model?.options, true));
    const { embedding } = modelSettings('embedding', server).plugins;
    t.ok('options' in checkOptions(embeddingSchema, embedding?.options, true));
  }
});
