import { type ApiClient, body, invalid, type List, walk } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

interface Source {
  id: string;
  title: string;
}

const titles = ['Öffnungszeiten', 'prices 100%', 'Parking', 'prices_2'];

async function agentWithTexts(api: ApiClient): Promise<string> {
  const { id } = await api.agent();
  for (const [n, title] of titles.entries())
    await body(api.post(`/agents/${id}/sources/text`, { title, content: 'word '.repeat(10 - n) }));
  return `/agents/${id}/sources`;
}

await onEachEngine('sources are found by title, and sorted', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const path = await agentWithTexts(api);
  const found = async (query: string) =>
    (await walk<Source>(api, `${path}?${query}`, 3)).map(({ title }) => title);

  t.strictSame(await found('q=PRICES'), ['prices_2', 'prices 100%']);
  t.strictSame(await found('q=%25'), ['prices 100%'], 'a percent sign is a letter');
  t.strictSame(await found('q=s_'), ['prices_2'], 'a low line is a letter');
  t.strictSame(await found('q=nothing'), []);
  t.strictSame(await found('q=ffnungs&sourceType=qna_entry'), []);
  t.strictSame(await found('sort=createdAt'), titles);
  t.strictSame(await found('sort=name&q=p'), ['Parking', 'prices 100%', 'prices_2']);
  t.strictSame(await found('sort=-name&q=p'), ['prices_2', 'prices 100%', 'Parking']);
  t.strictSame((await found('sort=name')).toSorted(), titles.toSorted());
  t.strictSame(await found('sort=size'), titles.toReversed());
  t.strictSame(await found('sort=-size&q=p'), ['prices 100%', 'Parking', 'prices_2']);

  const { data, pagination } = await body(api.get<List<Source>>(`${path}?sort=name&limit=2`));
  t.equal(pagination.total, 4);
  t.equal(data.length, 2);
  invalid(t, await api.get(`${path}?sort=size&cursor=${pagination.cursor}`), 'cursor');
  invalid(t, await api.get(`${path}?sort=title`), 'sort');
  invalid(t, await api.get(`${path}?q=`), 'q');
  t.equal((await (await service.client()).get(`${path}?q=a`)).status, 404, 'another workspace');
});

t.test('a changed source comes first by time of change', async (t) => {
  const clock = { now: () => 1_800_000_000_000 };
  const service = await startTestService(t, { clock });
  const api = service.api((await service.workspace()).apiKey);
  const path = await agentWithTexts(api);
  const [first] = await walk<Source>(api, `${path}?sort=createdAt`, 3);
  clock.now = () => 1_800_000_100_000;
  await body(api.patch(`${path}/${first?.id}`, { content: 'changed' }));
  const [newest] = await walk<Source>(api, `${path}?sort=-updatedAt`, 3);
  t.equal(newest?.id, first?.id);
});

await onEachEngine('agents are found by name', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const api = service.api((await service.workspace()).apiKey);
  for (const name of ['Sales', 'Support', 'Resale desk']) await body(api.post('/agents', { name }));
  const found = async (q: string) =>
    (await walk<{ name: string }>(api, `/agents?q=${encodeURIComponent(q)}`, 1)).map(({ name }) => name);
  t.strictSame(await found('SALE'), ['Resale desk', 'Sales']);
  t.strictSame(await found('%'), []);
  invalid(t, await api.get(`/agents?q=${'a'.repeat(201)}`), 'q');
});
