import { once } from 'node:events';
import type { Server } from 'node:http';
import Koa from 'koa';
import type { Settings } from '../config/settings.schema.js';
import { type Operational, operations } from '../core/http/health/operations.js';
import { createHttpServer } from '../core/http/server.js';
import { starting } from './start-failed.js';

/** A worker answers few, and only those who run it. */
const MOST_CONNECTIONS = 50;

/** `/livez`, `/readyz` and `/metrics` of a worker on a port of its own. Rejects with StartFailed when it is taken. */
export async function listenForOperators(
  { http, workers }: Pick<Settings, 'http' | 'workers'>,
  operational: Operational,
): Promise<Server | null> {
  if (workers.port === null) return null;
  const app = new Koa().use(operations(operational));
  const { requestTimeoutMs } = http;
  const server = createHttpServer(app.callback(), { requestTimeoutMs, maxConnections: MOST_CONNECTIONS });
  await starting('workerAddress', async () => {
    server.listen(workers.port ?? 0, http.host);
    await once(server, 'listening');
  });
  return server;
}
