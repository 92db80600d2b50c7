import t from 'tap';
import { runSuite } from '../support/example-repository.js';

t.setTimeout(290_000);

t.test('the example fulfils the contract', (t) => runSuite(t, 'postgres-retrieval', 'contract.test.js'));
