import type { Health } from '../core/ports/health.js';

/** Result of a check of `doctor`. `ok` is null if the check was not possible, or only in part. */
export type Checked = Health | { ok: null; reason: string };

/** The installation's secret, or the reason why it is unknown. */
export type Identity = { secret: Uint8Array } | { unknown: string };
