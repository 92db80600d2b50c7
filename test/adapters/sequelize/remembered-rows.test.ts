import t from 'tap';
import { createRememberedRows } from '../../../adapters/sequelize/remembered-rows.js';
import type { AgentState } from '../../../core/ports/store/rows.js';

const state = () => ({}) as AgentState;
const rowOf = (settings: string) => ({ id: 'a', settings });

t.test('a row is remembered with its state, unless its settings are long', async (t) => {
  const rows = createRememberedRows();
  const [mine, long] = [state(), state()];
  const row = rowOf('{}');
  rows.keep(mine, row);
  rows.keep(long, rowOf('x'.repeat(2000)));
  t.equal(rows.of(mine), row);
  t.equal(rows.of(state()), undefined);
  t.equal(rows.of(long), undefined, 'there may be as many as activations');
});

t.test('where others write, rows are read for ten seconds, and remembered again after them', async (t) => {
  let time = 0;
  const rows = createRememberedRows(() => time);
  const mine = state();
  const row = rowOf('{}');
  rows.keep(mine, row);
  rows.doubt();
  t.equal(rows.of(mine), undefined);
  time = 9999;
  t.equal(rows.of(mine), undefined);
  time = 10_000;
  t.equal(rows.of(mine), row);
});
