import type { Health } from '../core/ports/health.js';

/** Result of a check of `doctor`; `ok` is null if it could not be made, or only in part. */
export type Checked = Health | { ok: null; reason: string };

/** The installation's secret, or why it is not known. */
export type Identity = { secret: Uint8Array } | { unknown: string };
