import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { PermissionName } from '../../../../core/schemas/permissions.js';
import type { Me } from '../api/types.js';

/** The caller with its rights; null until they are loaded. */
export const caller = signal<Me | null>(null);

/** Whether the caller has a permission. For buttons in rows, with one `Permitted` above them that says why they are missing. */
export const may = (needs: PermissionName): boolean => caller.value?.permissions.includes(needs) ?? false;

interface PermittedProps {
  needs: PermissionName;
  /** What the children do, for the reason. */
  what?: string;
  children?: ComponentChildren;
}

/** Offers its children to callers with a permission. To others it says why they are missing. */
export function Permitted({ needs, what = 'this', children }: PermittedProps) {
  const me = caller.value;
  if (me === null) return null;
  if (may(needs)) return <>{children}</>;
  return (
    <p class="muted">
      {me.type === 'key' ? 'The rights of this API key are too low.' : `Your role does not allow ${what}.`}
    </p>
  );
}
