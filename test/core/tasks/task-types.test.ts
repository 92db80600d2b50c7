import { multipleOf } from '../../../core/tasks/task-types.js';
import { isTaskMessage } from '../../../core/tasks/wire-guards.js';
import { fileTask, pageTask } from '../../contracts/queue.contract.subject.js';
import t from '../../support/t.js';

t.test('a message is validated by the payload of its type, and an unknown type is rejected', async (t) => {
  const [page, file] = [pageTask('https://example.org/'), fileTask('terms.pdf')];
  t.ok(isTaskMessage(page));
  t.ok(isTaskMessage(file));
  t.notOk(isTaskMessage({ ...page, payload: file.payload }));
  t.notOk(isTaskMessage({ ...page, type: 'grow_tree' }));
  t.notOk(isTaskMessage({ ...page, jobId: 0 }));
});

t.test('a multiple of a setting is a whole number above zero', async (t) => {
  t.equal(multipleOf(0.25, 10), 3);
  t.equal(multipleOf(0.25, 1), 1);
});
