import { runSuite, typesHold } from '../support/example-repository.js';
import t from '../support/t.js';

t.test('the example type-checks against Cadre’s exports', (t) => typesHold(t, 'postgres-retrieval'));

t.test('the example works as its README says', (t) =>
  runSuite(t, 'postgres-retrieval', 'beyond-the-contract.test.js'),
);

t.test('the example fulfils the contract', (t) => runSuite(t, 'postgres-retrieval', 'contract.test.js'));
