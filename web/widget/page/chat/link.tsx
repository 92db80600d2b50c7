import type { ComponentChildren } from 'preact';
import type { Strings } from '../strings.js';

interface LinkProps {
  url: string;
  strings: Strings;
  class?: string;
  label?: string;
  children: ComponentChildren;
}

/** A link in a new tab; only the text for schemes other than those of the web and mail. */
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

const SCHEMES = ['http:', 'https:', 'mailto:'];

/** A relative URL would point to the service and not to the host. */
function isAllowed(url: string): boolean {
  try {
    return SCHEMES.includes(new URL(url).protocol);
  } catch {
    return false;
  }
}
