import type { ComponentChildren } from 'preact';

interface PhoneProps {
  username: string;
  /** What is shown above the input. */
  children: ComponentChildren;
}

/** A conversation with the account as a person sees it on a phone, roughly. */
export const Phone = ({ username, children }: PhoneProps) => (
  <div class="phone">
    <p class="phone-top">@{username}</p>
    <div class="phone-body">{children}</div>
    <p class="phone-input" aria-hidden="true">
      Message…
    </p>
  </div>
);
