/** State of a dependency, for `/readyz` and the command `doctor`. */
export type Health = { ok: true } | { ok: false; reason: string };
