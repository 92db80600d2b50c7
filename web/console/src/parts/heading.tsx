import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';

let arrived = false;

/** What pages around show below the title of an item's page. */
export const BelowTitle = createContext<ComponentChildren>(null);

interface HeadingProps {
  /** Also the title of the tab, followed by `of`. */
  title: string;
  /** What the page belongs to. */
  of?: string | undefined;
  children?: ComponentChildren;
}

/**
 * The title of a page. It receives the focus after navigation, so that screen readers announce it and Tab continues
 * from it.
 */
export function Heading({ title, of, children }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The browser sets the first focus itself.
    if (arrived) heading.current?.focus();
    arrived = true;
  }, []);
  useEffect(() => {
    document.title = [title, of, 'Cadre'].filter(Boolean).join(' · ');
  }, [title, of]);
  return (
    <>
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
      {useContext(BelowTitle)}
    </>
  );
}
