import { runSuite, typesHold } from '../support/example-repository.js';
import t from '../support/t.js';

t.test('the example type-checks against Cadre’s exports', (t) => typesHold(t, 'inference-server'));

t.test('the model and the embedding model fulfil their contracts', (t) =>
  runSuite(t, 'inference-server', 'contract.test.js'),
);
