import type { Agent } from '../support/api-client.js';

/** Patches of one distinct field each: path below the agent, body, and the expected result. */
export const singleFields: { path: string; body: object }[] = [
  ...Object.entries({
    title: 'Ask us',
    language: 'pt-BR',
    appearance: 'Dark',
    primaryColor: '#112233',
    bubbleColor: '#445566',
    primaryColorHeader: true,
    position: 'bottom-left',
    showInitialMessageBubble: false,
    initialMessages: ['Hello'],
    messagePlaceholder: 'Write here',
    bubbleIconUrl: 'https://acme.com/bubble.png',
    profilePictureUrl: 'https://acme.com/picture.png',
    hideBranding: true,
    keepShowing: true,
    prompts: ['What is it?'],
  }).map(([name, value]) => ({ path: '/settings/design', body: { [name]: value } })),
  { path: '/settings/ai', body: { model: 'vendorB/familyB-haiku-4-5' } },
  { path: '/settings/ai', body: { instructionsPreset: 'sales-agent' } },
  { path: '/settings/security', body: { isPrivate: true } },
  {
    path: '/settings/security',
    body: { rateLimit: { maxMessages: 7, windowSeconds: 60, limitMessage: 'Slow' } },
  },
  { path: '/settings/security', body: { allowedDomains: { enabled: true, domains: ['acme.com'] } } },
  { path: '/settings/notifications', body: { dailyConversations: true } },
  { path: '/settings/notifications', body: { dailyEmails: false } },
  { path: '/settings/notifications', body: { quotaAlerts: false } },
  { path: '/settings/training', body: { autoRetrainEnabled: false } },
  { path: '', body: { name: 'Renamed' } },
  { path: '', body: { url: 'https://acme.com/' } },
];

export const allFields: Pick<Agent, 'name' | 'url' | 'settings'> = {
  name: 'Renamed',
  url: 'https://acme.com/',
  settings: {
    title: 'Ask us',
    language: 'pt',
    position: 'bottom-left',
    branding: {
      appearance: 'Dark',
      primaryColor: '#112233',
      bubbleColor: '#445566',
      primaryColorHeader: true,
      bubbleIconUrl: 'https://acme.com/bubble.png',
      profilePictureUrl: 'https://acme.com/picture.png',
      hideBranding: true,
    },
    conversation: {
      initialMessages: ['Hello'],
      messagePlaceholder: 'Write here',
      showInitialMessageBubble: false,
      defaultPrompts: { prompts: ['What is it?'], enabled: true, keepShowing: true },
    },
    ai: { model: 'vendorB/familyB-haiku-4-5', instructionsPreset: 'sales-agent' },
    security: {
      isPrivate: true,
      rateLimit: { maxMessages: 7, windowSeconds: 60, limitMessage: 'Slow' },
      allowedDomains: { enabled: true, domains: ['acme.com'] },
    },
    notification: { dailyConversations: true, dailyEmails: false, quotaAlerts: false },
    training: { autoRetrainEnabled: false },
  },
};
