/** Tabs of an agent's page. */
export const agentTabs = [
  { place: 'ask', name: 'Ask' },
  { place: 'sources', name: 'Sources' },
  { place: 'conversations', name: 'Conversations' },
  { place: 'questions', name: 'Questions' },
  { place: 'contacts', name: 'Contacts' },
  { place: 'evaluations', name: 'Evaluations' },
  { place: 'statistics', name: 'Statistics' },
  { place: 'jobs', name: 'Jobs' },
  { place: 'widget', name: 'Widget' },
  { place: 'social', name: 'Social' },
  { place: 'settings', name: 'Settings' },
] as const;
