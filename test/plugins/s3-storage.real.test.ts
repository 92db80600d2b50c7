import { runSuite, typesHold } from '../support/example-repository.js';
import t from '../support/t.js';

t.test('the example type-checks against Cadre’s exports', (t) => typesHold(t, 's3-storage'));

t.test('the example fulfils the contract', (t) => runSuite(t, 's3-storage', 'contract.test.js'));

t.test('the example works as its README says', (t) =>
  runSuite(t, 's3-storage', 'beyond-the-contract.test.js'),
);
