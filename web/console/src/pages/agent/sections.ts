import type { IconName } from '../../parts/icon-paths.js';

/** A page of an agent. */
export interface AgentPlace {
  /** Part of the address after the agent's id. */
  place: string;
  name: string;
  /** True if the next part of the address is the id of an item, whose page has its own title. */
  hasItems?: boolean;
}

/** An entry of the sidebar. Its pages are tabs. */
export interface AgentSection {
  name: string;
  icon: IconName;
  places: readonly [AgentPlace, ...AgentPlace[]];
}

/** A section with a single page of the same name. */
const single = (place: IconName, name: string): AgentSection => ({
  name,
  icon: place,
  places: [{ place, name }],
});

export const agentSections: readonly AgentSection[] = [
  single('home', 'Home'),
  single('ask', 'Ask'),
  {
    name: 'Knowledge',
    icon: 'knowledge',
    places: [
      { place: 'sources', name: 'Sources', hasItems: true },
      { place: 'sites', name: 'Sites' },
      { place: 'jobs', name: 'Jobs', hasItems: true },
    ],
  },
  {
    name: 'Conversations',
    icon: 'talks',
    places: [
      { place: 'conversations', name: 'Conversations', hasItems: true },
      { place: 'contacts', name: 'Contacts' },
    ],
  },
  single('questions', 'Questions'),
  {
    name: 'Quality',
    icon: 'quality',
    places: [
      { place: 'evaluations', name: 'Evaluations', hasItems: true },
      { place: 'statistics', name: 'Statistics' },
    ],
  },
  {
    name: 'Publish',
    icon: 'publish',
    places: [
      { place: 'widget', name: 'Widget' },
      { place: 'share', name: 'Share link' },
      { place: 'social', name: 'Social' },
      { place: 'api', name: 'API' },
    ],
  },
  single('settings', 'Settings'),
];

/** Sections of the bar at the bottom of a phone. The menu has all. */
export const barSections = agentSections.slice(0, 4);

/** Returns the section of a page; the first one for unknown pages. */
export const sectionOf = (place: string): AgentSection =>
  agentSections.find(({ places }) => places.some((one) => one.place === place)) ??
  (agentSections[0] as AgentSection);
