import type { FieldTexts } from '../forms/layout.js';

/** Texts of the forms that create and change agents. */
export const agentTexts: FieldTexts = {
  name: { about: 'How the agent is called in this console, and in the widget unless it has a title.' },
  url: { label: 'Website', about: 'The site that the agent is for. Only shown here.' },
};
