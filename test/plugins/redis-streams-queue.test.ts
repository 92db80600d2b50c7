import { once } from 'node:events';
import t from 'tap';
import { exampleRepository, plainNode, runSuite, tsc } from '../support/example-repository.js';

t.setTimeout(290_000);

t.test('the example type-checks against what Cadre exports', async (t) => {
  const check = plainNode(exampleRepository(t), tsc);
  let said = '';
  for (const stream of [check.stdout, check.stderr]) {
    stream.on('data', (data: Buffer) => {
      said += data;
    });
  }
  const [code] = await once(check, 'close');
  t.equal(said, '');
  t.equal(code, 0);
});

t.test('the example does what its README says', (t) => runSuite(t, 'beyond-the-contract.test.js'));
