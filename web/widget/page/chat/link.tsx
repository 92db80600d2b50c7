import type { ComponentChildren } from 'preact';
import { isAllowed } from '../../../client/link-schemes.js';
import type { Strings } from '../strings.js';

interface LinkProps {
  url: string;
  strings: Strings;
  class?: string;
  label?: string;
  children: ComponentChildren;
}

/** A link that opens in a new tab. URLs with schemes other than http, https and mailto are shown as text. */
export function Link({ url, strings, class: className, label, children }: LinkProps) {
  if (!isAllowed(url)) return <>{children}</>;
  return (
    <a
      href={url}
      class={className}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label={label}
      title={strings.text('newTab')}
    >
      {children}
    </a>
  );
}
