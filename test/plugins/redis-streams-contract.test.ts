import t from 'tap';
import { runSuite } from '../support/example-repository.js';

// Real processes are started and killed: on a busy machine that takes its time.
t.setTimeout(290_000);

t.test('the example keeps the contract', (t) => runSuite(t, 'contract.test.js'));
