import type { Agent } from '../../test/support/api-client.js';

/** Fields of an agent that visitors write: path, encoding, and where they are returned. */

export type FieldName = 'name' | 'url' | 'title' | 'placeholder' | 'instructions' | 'limitMessage' | 'emails';

interface Field {
  /** Path below the agent. */
  path: string;
  body(value: string): object;
  read(agent: Agent): unknown;
  /** The value that write number `n` sends. */
  value(n: number): string;
}

const group = (agent: Agent, name: string): Record<string, unknown> =>
  (agent.settings[name] ?? {}) as Record<string, unknown>;

export const fields: Record<FieldName, Field> = {
  name: {
    path: '',
    body: (name) => ({ name }),
    read: ({ name }) => name,
    value: (n) => `Name ${n}`,
  },
  url: {
    path: '',
    body: (url) => ({ url }),
    read: ({ url }) => url,
    value: (n) => `https://acme.example/${n}`,
  },
  title: {
    path: '/settings/design',
    body: (title) => ({ title }),
    read: ({ settings }) => settings.title,
    value: (n) => `Title ${n}`,
  },
  placeholder: {
    path: '/settings/design',
    body: (messagePlaceholder) => ({ messagePlaceholder }),
    read: (agent) => group(agent, 'conversation').messagePlaceholder,
    value: (n) => `Write here ${n}`,
  },
  instructions: {
    path: '/settings/ai',
    body: (instructionsPrompt) => ({ instructionsPrompt }),
    read: (agent) => group(agent, 'ai').instructionsPrompt,
    value: (n) => `Instruction ${n}`,
  },
  limitMessage: {
    path: '/settings/security',
    body: (limitMessage) => ({ rateLimit: { maxMessages: 5, windowSeconds: 60, limitMessage } }),
    read: (agent) =>
      (group(agent, 'security').rateLimit as { limitMessage?: string } | undefined)?.limitMessage,
    value: (n) => `Slow down ${n}`,
  },
  emails: {
    path: '/settings/notifications',
    body: (on) => ({ dailyEmails: on === 'true' }),
    read: (agent) => {
      const { dailyEmails } = group(agent, 'notification');
      return typeof dailyEmails === 'boolean' ? String(dailyEmails) : undefined;
    },
    value: (n) => String(n % 2 === 0),
  },
};

export const fieldNames = Object.keys(fields) as [FieldName, ...FieldName[]];
