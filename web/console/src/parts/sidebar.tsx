import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { surroundings } from '../api/surroundings.js';
import type { Agent } from '../api/types.js';
import { useLoaded } from '../loading.js';
import { agentSections, barSections, sectionOf } from '../pages/agent/sections.js';
import { path, to } from '../router.js';
import { currentIdentity, signOut } from '../session.js';
import { leave } from '../unsaved.js';
import { firstPlaces, workspacePlaces } from '../workspace-places.js';
import { Icon } from './icon.js';
import type { IconName } from './icon-paths.js';
import { may } from './permitted.js';

/** The agent whose pages are open; null while it is loading. */
export const openAgent = signal<Agent | null>(null);

/** Whether the menu of a phone is open. Wider screens always show the sidebar. */
const isMenuOpen = signal(false);

interface EntryProps {
  name: string;
  icon: IconName;
  href: string;
  isCurrent: boolean;
}

const Entry = ({ name, icon, href, isCurrent }: EntryProps) => (
  <a class="entry" href={href} aria-current={isCurrent ? 'page' : undefined}>
    <Icon name={icon} />
    <span>{name}</span>
  </a>
);

const inAgent = (agentId: string, sections: typeof agentSections, current: string) =>
  sections.map(({ name, icon, places: [{ place }] }) => (
    <Entry
      key={name}
      name={name}
      icon={icon}
      href={to('agents', agentId, place)}
      isCurrent={sectionOf(current).name === name}
    />
  ));

interface SidebarProps {
  onSearch: () => void;
}

/** All pages. On a phone it is a menu, beside a bar with the most frequent pages of the agent. */
export function Sidebar({ onSearch }: SidebarProps) {
  const [here = 'agents', item, current = 'home'] = path.value;
  const agentId = here === 'agents' ? item : undefined;
  const { data: beside } = useLoaded(surroundings, []);
  useEffect(() => {
    isMenuOpen.value = false;
  }, [path.value]);
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !isMenuOpen.peek()) return;
      isMenuOpen.value = false;
      document.querySelector<HTMLElement>('.menu-button')?.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const entriesFor = (places: typeof workspacePlaces) =>
    places
      .filter(({ needs }) => needs === undefined || may(needs))
      .map(({ place, name }) => (
        <Entry
          key={place}
          name={name}
          icon={place}
          href={to(place)}
          isCurrent={here === place && agentId === undefined}
        />
      ));
  const isPerson = currentIdentity()?.kind === 'session';
  return (
    <>
      <header class="top">
        <a class="brand" href={to()}>
          <img src="/console/icon.svg" alt="" width="22" height="22" /> Cadre
        </a>
        <button
          type="button"
          class="quiet menu-button"
          aria-expanded={isMenuOpen.value}
          aria-controls="sidebar"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          <Icon name="menu" /> Menu
        </button>
      </header>
      <div id="sidebar" class={isMenuOpen.value ? 'sidebar open' : 'sidebar'}>
        <button type="button" class="finder" onClick={onSearch}>
          <Icon name="search" /> <span>Go to…</span> <kbd>Ctrl K</kbd>
        </button>
        <nav aria-label="Console">{entriesFor(firstPlaces)}</nav>
        {agentId !== undefined && (
          <nav aria-label="Agent">
            <p class="entries-name">{openAgent.value?.id === agentId ? openAgent.value.name : '…'}</p>
            {inAgent(agentId, agentSections, current)}
          </nav>
        )}
        <nav aria-label="Workspace">
          <p class="entries-name">Workspace</p>
          {entriesFor(workspacePlaces)}
          {beside?.hasReference && <Entry name="API reference" icon="api" href="/docs" isCurrent={false} />}
        </nav>
        <div class="account">
          {isPerson && (
            <Entry name="Profile" icon="profile" href={to('profile')} isCurrent={here === 'profile'} />
          )}
          <button type="button" class="entry" onClick={() => leave(signOut)}>
            <Icon name="leave" />
            <span>Sign out</span>
          </button>
        </div>
      </div>
      {agentId !== undefined && (
        <nav class="bottom-bar" aria-label="Frequent pages">
          {inAgent(agentId, barSections, current)}
        </nav>
      )}
    </>
  );
}
