import type { JsonObject } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { settingsGroups } from './groups.js';

interface Template {
  id: TemplateId;
  name: string;
  description: string;
  /** Bodies of changes of settings, by the path of their group. */
  groups: Readonly<Record<string, JsonObject>>;
}

export const templateIds = ['support', 'shop', 'documentation', 'school', 'municipality'] as const;
export type TemplateId = (typeof templateIds)[number];

/** Starting points for new agents. None names a model, because plans and installations have different ones. */
const templates: readonly Template[] = [
  {
    id: 'support',
    name: 'Customer support',
    description: 'Answers questions about a product or a service, step by step.',
    groups: {
      ai: { instructionsPreset: 'customer-support' },
      design: {
        title: 'Support',
        initialMessages: ['Hello! What can I help you with?'],
        prompts: ['Something does not work', 'How do I get started?', 'How can I reach you?'],
      },
      handover: { offer: 'unanswered' },
    },
  },
  {
    id: 'shop',
    name: 'Shop',
    description: 'Helps customers to choose, and answers questions about orders, delivery and returns.',
    groups: {
      ai: {
        instructionsPreset: 'custom',
        instructionsPrompt:
          'You help the customers of a shop. Answer questions about products, prices, delivery, payment and returns from the sources. Compare products by the facts in the sources, and ask what matters to the customer if several fit. Name prices with their currency and their conditions. Do not promise discounts, stock or delivery dates that the sources do not state.',
      },
      design: {
        title: 'Ask us',
        initialMessages: ['Hello! Are you looking for something, or do you have a question about an order?'],
        prompts: ['What does delivery cost?', 'How can I return something?', 'How can I pay?'],
      },
      handover: { offer: 'unanswered' },
    },
  },
  {
    id: 'documentation',
    name: 'Documentation',
    description: 'Answers technical questions from manuals and reference pages.',
    groups: {
      ai: {
        instructionsPreset: 'custom',
        instructionsPrompt:
          'You answer technical questions from the documentation. Give the answer first, then the reason. Put commands and code into fenced blocks, exactly as the sources have them. Say to which version an answer applies, if the sources say so. If the sources do not describe something, say that, and do not guess names of options or functions.',
      },
      design: {
        title: 'Documentation',
        initialMessages: ['Ask a question about the documentation.'],
        prompts: ['How do I install it?', 'How do I configure it?', 'What changed in the last version?'],
      },
      handover: { offer: 'never' },
    },
  },
  {
    id: 'school',
    name: 'School',
    description: 'Answers questions of parents and pupils about dates, courses and rules.',
    groups: {
      ai: {
        instructionsPreset: 'custom',
        instructionsPrompt:
          'You answer questions of parents and pupils about a school: dates, timetables, courses, registration and rules. Use short sentences that pupils understand, too. Name dates with the weekday if the sources do. Give no information about single pupils or teachers beyond what the sources publish.',
      },
      design: {
        title: 'School office',
        initialMessages: ['Hello! What would you like to know about our school?'],
        prompts: ['When are the holidays?', 'How do I register my child?', 'When is the office open?'],
      },
      handover: { offer: 'unanswered' },
    },
  },
  {
    id: 'municipality',
    name: 'Municipality',
    description: 'Tells citizens which office is responsible, what they need and what it costs.',
    groups: {
      ai: {
        instructionsPreset: 'custom',
        instructionsPrompt:
          'You answer questions of citizens about the services of a municipality. Say which office is responsible, which documents are needed, what it costs, how long it takes and when the office is open, as far as the sources say so. Use plain language. Give no legal advice, and do not decide single cases.',
      },
      design: {
        title: 'Citizens’ service',
        initialMessages: ['Hello! Which service do you need?'],
        prompts: [
          'How do I renew my passport?',
          'When is the town hall open?',
          'How do I register my address?',
        ],
      },
      handover: { offer: 'unanswered' },
    },
  },
];

/** Returns a template's settings as they are stored. Leaves out what the plan does not include. */
const settingsOf = ({ groups }: Template, entitlements: Entitlements): JsonObject =>
  Object.assign(
    {},
    ...settingsGroups.flatMap((group) => {
      const body = groups[group.path];
      return body ? [group.toPatch(body, entitlements)] : [];
    }),
  );

export const listTemplates = (entitlements: Entitlements) =>
  templates.map((template) => {
    const { id, name, description } = template;
    return { id, name, description, settings: settingsOf(template, entitlements) };
  });

export const templateSettings = (id: TemplateId, entitlements: Entitlements): JsonObject =>
  listTemplates(entitlements).find((template) => template.id === id)?.settings ?? {};
