import { once } from 'node:events';
import type { Server } from 'node:http';
import Koa from 'koa';
import type { Settings } from '../config/settings.schema.js';
import { type Operational, operations } from '../core/http/health/operations.js';
import { createHttpServer } from '../core/http/server.js';
import { type Station, starting } from './start-failed.js';

/** Only probes and scrapers connect, so few connections are needed. */
const MAX_CONNECTIONS = 50;

/** Address to listen on. `station` identifies the port in error messages. */
interface Address {
  host: string;
  port: number;
  station: Station;
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` on a separate port. Rejects with StartFailed if it cannot listen there.
 */
export async function startOperationsServer(
  { requestTimeoutMs }: Pick<Settings['http'], 'requestTimeoutMs'>,
  { host, port, station }: Address,
  operational: Operational,
): Promise<Server> {
  const app = new Koa().use(operations(operational));
  const server = createHttpServer(app.callback(), { requestTimeoutMs, maxConnections: MAX_CONNECTIONS });
  await starting(station, async () => {
    server.listen(port, host);
    await once(server, 'listening');
  });
  return server;
}
