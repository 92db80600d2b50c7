import type { FieldTexts } from '../forms/layout.js';

/** Texts of the forms that create and change agents. */
export const agentTexts: FieldTexts = {
  name: { about: 'The name of the agent in this console, and in the widget unless the widget has a title.' },
  url: { label: 'Website', about: 'The website that the agent is for. Shown only here.' },
};
