/** How something outside is: whether it works, and if not, why. Shown by `/readyz` and the command `doctor`. */
export type Health = { ok: true } | { ok: false; reason: string };
