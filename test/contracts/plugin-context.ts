import { tmpdir } from 'node:os';
import { silentLog } from '../../core/ports/log.port.js';

/** What a contract starts a plugin with that needs neither an upload desk nor a folder of its own. */
export const contextOf = <Options>(options: Options) => ({
  options,
  log: silentLog,
  role: 'api' as const,
  dataDir: tmpdir(),
  maxUploadBytes: 1024,
  maxDeliveries: 3,
  secret: new Uint8Array(32),
  processName: `contract-${process.pid}`,
  now: () => Date.now(),
});
