import test from 'node:test';
import { describeFedRetrievalContract } from 'cadre/contracts/retrieval';
import plugin from '../index.js';
import { freshDatabase, postgresMissing } from './postgres.js';

const skip = await postgresMissing();

describeFedRetrievalContract({ test: (name, body) => test(name, { skip }, body) }, async () => {
  const { options, drop } = await freshDatabase();
  return { plugin, options, close: drop };
});
