import { tmpdir } from 'node:os';
import { silentLog } from '../../core/ports/log.port.js';

/** Context of a plugin that needs neither an upload gate nor a folder. */
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
