import { openAiCompatible } from '../../../adapters/openai-compatible/index.js';
import { describeModelContract, type Scene } from '../../contracts/model.contract.js';
import {
  answers,
  breaksOff,
  counts,
  delta,
  done,
  ends,
  fallsSilent,
  type Play,
  startFakeProvider,
  streams,
  toolFragment,
} from '../../support/fake-provider.js';
import { modelOptions } from '../../support/models.js';
import t from '../../support/t.js';

/** Comments between the events, and pieces that split characters. */
const PIECE = 7;

function playOf(scene: Scene): Play {
  switch (scene.does) {
    case 'say': {
      const usage = scene.usage === null ? [] : [counts(scene.usage.input, scene.usage.output)];
      return streams(
        [': hello\n\n', ...scene.texts.map(delta), ': still here\n\n', ends('stop'), ...usage, done],
        PIECE,
      );
    }
    case 'call': {
      // Two interleaved calls in fragments.
      const begins = scene.calls.map(({ toolName }, n) => toolFragment(n, toolName, ''));
      const fragments = scene.calls.flatMap(({ arguments: written }, n) =>
        [...written].map((letter) => toolFragment(n, null, letter)),
      );
      return streams([...begins, ...fragments, ends('tool_calls'), done], PIECE);
    }
    case 'break off':
      return breaksOff(...scene.texts.map(delta));
    case 'fall silent':
      return fallsSilent(...scene.texts.map(delta));
    case 'refuse':
      return answers(401, { error: { message: 'Incorrect API key provided' } });
  }
}

describeModelContract({ test: (name, body) => t.test(name, body) }, async (scene) => {
  const provider = await startFakeProvider(playOf(scene));
  return {
    plugin: openAiCompatible,
    options: modelOptions({ main: provider.baseUrl }),
    model: 'vendorB/familyB-haiku-4-5',
    close: () => provider.close(),
  };
});
