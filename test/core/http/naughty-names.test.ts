import t from 'tap';
import { type Agent, invalid } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import { lengthOf, naughtyStrings } from './naughty-strings.js';

const service = await startTestService(t);

t.test('hostile names are stored or rejected', async (t) => {
  const api = await service.client();
  for (const name of naughtyStrings) {
    const created = await api.post<Agent>('/agents', { name });
    if (name.trim() === '' || lengthOf(name.trim()) > 255) invalid(t, created, 'name');
    else t.equal(created.body.name, name.trim());
  }
});

t.test('hostile paths and queries are rejected', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  for (const text of naughtyStrings.map(encodeURIComponent).filter((text) => text !== '')) {
    invalid(t, await api.get(`/agents?cursor=${text}`), 'cursor');
    invalid(t, await api.get(`/agents/${id}/sources?sourceType=${text}&limit=x`), 'limit', 'sourceType');
    const { status } = await api.get(`/agents/${text}`);
    t.equal(status, 404);
  }
});
