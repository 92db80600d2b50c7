import { openAiCompatible } from '../../../adapters/openai-compatible/index.js';
import { unmappedModels } from '../../../core/chat/answer-model.js';
import { models } from '../../../core/schemas/models.js';
import { modelOptions, pluginContext } from '../../support/models.js';
import t from '../../support/t.js';

t.test('reports model names without a provider', async (t) => {
  const unmappedWith = async (mapped: Record<string, object>) => {
    const options = modelOptions({ main: 'http://127.0.0.1:1/v1' }, { models: mapped });
    const { port, stop } = await openAiCompatible.start({ ...pluginContext, options });
    t.teardown(() => stop({ deadlineMs: 100 }));
    return unmappedModels(port);
  };
  t.same(await unmappedWith({ '*': {} }), []);
  const [first = '', ...others] = models;
  t.same(await unmappedWith({ [first]: {} }), others);
});
