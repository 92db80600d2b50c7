import t from 'tap';
import type { Caller } from '../../../core/http/authenticate.js';
import { createMemoryBudget } from '../../../core/http/memory-budget.js';
import { ok, type Route } from '../../../core/http/route.js';
import { routeServer } from '../../../core/http/serve-route.js';

t.test('an answer is written when it is the turn of its workspace again, and so is a refusal', async (t) => {
  const order: string[] = [];
  const goOn = async (workspaceId: string) => void order.push(`turn of ${workspaceId}`);
  const turns = { enter: goOn, goOn };
  const serve = routeServer({ services: {}, memory: createMemoryBudget(1024 * 1024) } as never, turns);
  const ctx = {
    params: {},
    req: { headers: {} },
    method: 'GET',
    state: {},
    writable: true,
    res: { closed: true, writeHead: () => order.push('answer'), end: () => {} },
  };
  const routeThat = (handle: () => Promise<never>) =>
    ({ scope: 'workspace', method: 'GET', handle }) as unknown as Route;
  const caller = { workspaceId: 'mine' } as Caller;
  await serve(
    ctx as never,
    routeThat(async () => ok({}) as never),
    caller,
  );
  t.same(order, ['turn of mine', 'answer']);
  const refused = serve(
    ctx as never,
    routeThat(() => Promise.reject(new Error('no'))),
    caller,
  );
  await t.rejects(refused, { message: 'no' });
  t.same(order.slice(2), ['turn of mine']);
});
