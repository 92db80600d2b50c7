import { to } from '../router.js';

interface TabsProps {
  /** Name for screen readers. */
  name: string;
  class: string;
  tabs: readonly { place: string; name: string }[];
  current: string;
  /** Path of the page with the tabs. */
  base: readonly string[];
}

const showTab = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** Links to the parts of a page. On narrow screens, they scroll sideways. */
export const Tabs = ({ name, class: look, tabs, current, base }: TabsProps) => (
  <nav class={look} aria-label={name}>
    {tabs.map((tab) => {
      const isCurrent = tab.place === current;
      return (
        <a
          key={`${tab.place}-${isCurrent}`}
          ref={isCurrent ? showTab : null}
          href={to(...base, tab.place)}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {tab.name}
        </a>
      );
    })}
  </nav>
);
