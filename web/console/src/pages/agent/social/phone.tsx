import type { ComponentChildren } from 'preact';

interface PhoneProps {
  username: string;
  /** Content above the input. */
  children: ComponentChildren;
}

/** A sketch of a conversation with the account on a person's phone. */
export const Phone = ({ username, children }: PhoneProps) => (
  <div class="phone">
    <p class="phone-top">@{username}</p>
    <div class="phone-body">{children}</div>
    <p class="phone-input" aria-hidden="true">
      Message…
    </p>
  </div>
);
