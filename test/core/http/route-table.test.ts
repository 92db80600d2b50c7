import t from 'tap';
import type { Route } from '../../../core/http/route.js';
import { routeTable } from '../../../core/http/route-table.js';

const find = routeTable(
  [
    ['GET', '/things'],
    ['GET', '/things/:thingId'],
    ['GET', '/things/:thingId/parts/all'],
    ['GET', '/things/:thingId/parts/:partId'],
    ['DELETE', '/things/:thingId'],
  ].map(([method, path]) => ({ method, path }) as Route),
);
const found = (method: string, path: string) => {
  const { route, params } = find(method, path) ?? {};
  return route ? [route.path, params] : null;
};

t.test('a path finds its route, and its parameters are decoded', async (t) => {
  t.same(found('GET', '/things'), ['/things', {}]);
  t.same(found('GET', '/things/a%20b'), ['/things/:thingId', { thingId: 'a b' }]);
  t.same(found('GET', '/things/x/parts/y'), [
    '/things/:thingId/parts/:partId',
    { thingId: 'x', partId: 'y' },
  ]);
  t.same(found('GET', '/things/x/parts/all')?.[0], '/things/:thingId/parts/all', 'the first one counts');
  t.same(found('GET', '/things/%E0%A4%A')?.[1], { thingId: '%E0%A4%A' }, 'what cannot be decoded');
  t.same(found('GET', '/things/__proto__')?.[1], { thingId: '__proto__' });
});

t.test('HEAD is GET, and other methods are other routes', async (t) => {
  t.same(found('HEAD', '/things')?.[0], '/things');
  t.same(found('DELETE', '/things/x')?.[0], '/things/:thingId');
  for (const method of ['DELETE', 'POST', 'get', '']) t.equal(found(method, '/things'), null, method);
});

t.test('what is a letter longer or shorter is another path', async (t) => {
  const others = [
    '',
    '/',
    '/thing',
    '/things/',
    '//things',
    '/Things',
    '/%74hings',
    '/things/x/',
    '/things//',
  ];
  for (const path of [...others, '/things//parts/all', '/things/x/parts', 'things', 'x/things'])
    t.equal(found('GET', path), null, path);
});
