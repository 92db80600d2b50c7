import { client } from '../../test/support/flows.js';
import { type QuietTenant, work } from './quiet-tenant.js';

/* The quiet tenant's process. It works for as many milliseconds as each message says, and answers what it saw. */

const [origin = '', key = '', agentId = '', pages = ''] = process.argv.slice(2);
const tenant: QuietTenant = {
  api: client(origin, key),
  agentId,
  origin,
  pageUrl: (name) => `${pages}${name}`,
};

process.on('message', async (ms: number) => {
  const end = performance.now() + ms;
  const seen = await work(tenant, () => performance.now() > end);
  process.send?.(seen);
});
