import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { PermissionName } from '../../../../core/schemas/permissions.js';
import type { Me } from '../api/types.js';

/** The caller with its rights; null until they are loaded. */
export const caller = signal<Me | null>(null);

/** Offers its children to callers with a permission. To others it says why they are missing. */
export function Permitted({ needs, children }: { needs: PermissionName; children: ComponentChildren }) {
  const me = caller.value;
  if (me === null) return null;
  if (me.permissions.includes(needs)) return <>{children}</>;
  return (
    <p class="muted">
      {me.type === 'key' ? 'The rights of this API key are too low.' : 'Your role does not allow this.'}
    </p>
  );
}
