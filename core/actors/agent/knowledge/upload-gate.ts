import type { UploadGate } from '../../../ports/plugin.port.js';
import type { ArrivingUploads } from '../../../ports/store/sweeps.js';

/** Decides whether to accept an upload, for storages that receive uploads themselves. */
export const uploadGate = (arrivals: ArrivingUploads, mostBytes: number): UploadGate => ({
  begin: (path, bytes) => arrivals.begin(path, bytes, mostBytes),
  more: (path, bytes) => arrivals.begin(path, bytes, mostBytes),
  end: (path, bytes, stored) => arrivals.end(path, bytes, stored),
});
