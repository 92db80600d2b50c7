import { limits } from '../../../../../../core/schemas/limits.js';
import type { FieldTexts, FormSection } from '../../../forms/layout.js';

/** A page of settings. Its fields are those of one group of settings in the API. */
export interface SettingsPage {
  /** Last part of the address. */
  place: string;
  name: string;
  /** One sentence about the page. */
  about: string;
  /** Name of the group in the API. */
  group: string;
  operation: string;
  sections: readonly FormSection[];
  texts: FieldTexts;
}

const behaviour: SettingsPage = {
  place: 'behaviour',
  name: 'Behaviour',
  about: 'How the agent answers, here, through the API and in the widget.',
  group: 'ai',
  operation: 'updateAiSettings',
  sections: [
    { fields: ['model'] },
    {
      title: 'Instructions',
      about: 'They tell a model who it is and how it should speak. Quotes from sources ignore them.',
      fields: ['instructionsPreset', 'instructionsPrompt'],
    },
  ],
  texts: {
    model: { label: 'Model', about: 'The language model that writes the answers.' },
    instructionsPreset: {
      label: 'Role',
      about: 'A ready-made instruction for a common task.',
      unset: 'Chat assistant if not set',
      choices: {
        custom: 'None, only your own instruction',
        'ai-chatbot': 'Chat assistant',
        'customer-support': 'Customer support',
        'sales-agent': 'Sales',
        'language-tutor': 'Language tutor',
        'coding-expert': 'Coding expert',
        'life-coach': 'Life coach',
      },
    },
    instructionsPrompt: {
      label: 'Your own instruction',
      about: 'For example: “Answer in two sentences. Send questions about invoices to billing@acme.com.”',
      unset: 'Replaces the role if you write one',
    },
  },
};

const knowledge: SettingsPage = {
  place: 'knowledge',
  name: 'Knowledge upkeep',
  about: 'How the agent keeps up with pages that change. Texts and files change only when you change them.',
  group: 'training',
  operation: 'updateTrainingSettings',
  sections: [{ fields: ['autoRetrainEnabled'] }],
  texts: {
    autoRetrainEnabled: {
      label: 'Read pages again automatically',
      about: 'Pages that have changed replace what the agent knew. Pages that are gone keep their last text.',
    },
  },
};

export const schedule: SettingsPage = {
  place: 'schedule',
  name: 'Schedule',
  about:
    'When the agent reads its pages again, if “Read pages again automatically” is on. Without a schedule, it uses the interval of this service.',
  group: 'schedule',
  operation: 'updateScheduleSettings',
  sections: [{ fields: ['every', 'unit', 'hour', 'timeZone'] }],
  texts: {
    every: {
      label: 'Every',
      about: `At most ${limits.schedule.hours} hours or ${limits.schedule.days} days.`,
      unset: 'No schedule if empty',
    },
    unit: { label: 'Unit', about: 'Hours or days.', choices: { hours: 'Hours', days: 'Days' } },
    hour: { label: 'Hour', about: 'Hour of the day, 0 to 23, by the clocks of the time zone.' },
    timeZone: { label: 'Time zone', about: 'Where the hour is meant.' },
  },
};

const day = 'Hours as 09:00-17:00, one span on each line. Empty: closed.';
const handover: SettingsPage = {
  place: 'person',
  name: 'A person',
  about: 'What the agent says without an answer, and how visitors reach a person.',
  group: 'handover',
  operation: 'updateHandoverSettings',
  sections: [
    { title: 'Without an answer', fields: ['unansweredMessage'] },
    { title: 'Asking for a person', fields: ['enabled', 'offer', 'hours', 'waitSeconds', 'showNames'] },
    { title: 'Contact form', fields: ['form'] },
  ],
  texts: {
    unansweredMessage: {
      label: 'Your own sentence',
      about:
        'Said if the sources have no answer, for example: I do not know. [Write to us](https://acme.com/contact).',
      unset: 'The agent says its own sentence.',
    },
    enabled: {
      label: 'Visitors may ask for a person',
      about: 'The widget shows the button, and the contact form where no person comes.',
    },
    offer: {
      label: 'When it is offered',
      about: 'When the widget shows the button.',
      choices: {
        always: 'Always',
        unanswered: 'If a question was not answered or was rated badly',
        never: 'Only if the visitor asks for it in words',
      },
    },
    hours: { label: 'Opening hours', about: 'When a person can be asked for. Empty: always.' },
    'hours.timeZone': { label: 'Time zone', about: 'Where the hours are meant.' },
    'hours.days': { label: 'Days', about: 'Empty days are closed.' },
    'hours.days.mon': { label: 'Monday', about: day },
    'hours.days.tue': { label: 'Tuesday' },
    'hours.days.wed': { label: 'Wednesday' },
    'hours.days.thu': { label: 'Thursday' },
    'hours.days.fri': { label: 'Friday' },
    'hours.days.sat': { label: 'Saturday' },
    'hours.days.sun': { label: 'Sunday' },
    waitSeconds: { label: 'Wait in seconds', about: 'After this time, the form is shown, too.' },
    showNames: { label: 'Show names', about: 'Visitors see who writes, and not only the name of the agent.' },
    form: { label: 'Form', about: 'For visitors whom nobody can answer at once. Empty: no form.' },
    'form.fields': {
      label: 'Fields',
      about: 'One on each line, in order: name, email, phone, message. A * makes one required, as in email*.',
    },
    'form.intro': { label: 'Above the fields' },
    'form.thanks': { label: 'After sending' },
    'form.consent': {
      label: 'Consent',
      about: 'Text beside a checkbox. Without it, visitors get no e-mails.',
    },
  },
};

const evaluation: SettingsPage = {
  place: 'evaluation',
  name: 'Evaluation',
  about: 'When to ask the agent the questions whose answers you know.',
  group: 'evaluation',
  operation: 'updateEvaluationSettings',
  sections: [{ fields: ['afterTraining'] }],
  texts: {
    afterTraining: {
      label: 'After each training',
      about: 'Asks the kept questions whenever pages or files were read. Each answer costs credits.',
    },
  },
};

const access: SettingsPage = {
  place: 'access',
  name: 'Access',
  about: 'Who may use the agent on web pages, and how many messages each user may send.',
  group: 'security',
  operation: 'updateSecuritySettings',
  sections: [
    {
      title: 'Widget on web pages',
      about: 'These two rules apply only to the widget. Clients with an API key can still ask the agent.',
      fields: ['isPrivate', 'allowedDomains'],
    },
    { title: 'All users', fields: ['rateLimit'] },
  ],
  texts: {
    isPrivate: {
      label: 'Private',
      about: 'Closes the widget on all pages and signs out its visitors.',
    },
    allowedDomains: {
      label: 'Allowed sites',
      about: 'Sites that may show the widget.',
    },
    'allowedDomains.enabled': {
      label: 'Only on these sites',
      about: 'If off, every site may show the widget.',
    },
    'allowedDomains.domains': {
      label: 'Sites',
      about:
        'For example https://acme.com, *.acme.com or localhost:*. Names without a wildcard do not include their subdomains.',
    },
    rateLimit: {
      label: 'Messages in a period',
      about:
        'Counts the messages of a user, in the widget and through the API. Fill in all three fields to set a limit.',
    },
    'rateLimit.maxMessages': { label: 'Messages', about: 'How many messages a user may send in the period.' },
    'rateLimit.windowSeconds': {
      label: 'Period in seconds',
      about: 'After this time, the user may write again.',
    },
    'rateLimit.limitMessage': {
      label: 'Answer over the limit',
      about: 'What a user reads instead of an answer.',
    },
  },
};

const notifications: SettingsPage = {
  place: 'notifications',
  name: 'Notifications',
  about: 'Which e-mails members get about the agent. Each member can turn them off in the profile.',
  group: 'notifications',
  operation: 'updateNotificationSettings',
  sections: [{ fields: ['dailyConversations', 'dailyEmails', 'quotaAlerts'] }],
  texts: {
    dailyConversations: { label: 'Conversations of the day', about: 'What users asked on the day before.' },
    dailyEmails: { label: 'Summary of the day', about: 'How many questions were asked and answered.' },
    quotaAlerts: { label: 'Allowances', about: 'A warning before an allowance is used up.' },
  },
};

export const look: SettingsPage = {
  place: 'look',
  name: 'Look',
  about: 'How the widget looks and greets on web pages. The preview shows your changes before you save them.',
  group: 'design',
  operation: 'updateDesignSettings',
  sections: [
    { title: 'Panel', fields: ['title', 'language', 'appearance', 'position'] },
    { title: 'Colours', fields: ['primaryColor', 'primaryColorHeader', 'bubbleColor'] },
    {
      title: 'Greeting',
      fields: ['initialMessages', 'showInitialMessageBubble', 'prompts', 'keepShowing', 'messagePlaceholder'],
    },
    { title: 'Pictures and brand', fields: ['bubbleIconUrl', 'profilePictureUrl', 'hideBranding'] },
  ],
  texts: {
    title: { about: 'The heading of the panel.', unset: 'The name of the agent if empty' },
    language: { about: 'Language of buttons and notes.' },
    appearance: { about: 'Light or dark.', unset: 'The visitor’s own scheme if not set' },
    position: {
      about: 'The corner of the page for the button and the panel.',
      unset: 'Bottom right if not set',
      choices: { 'bottom-left': 'Bottom left', 'bottom-right': 'Bottom right' },
    },
    primaryColor: { about: 'Own messages, the send button and links.', unset: 'Blue if empty' },
    primaryColorHeader: { label: 'Colour the header too', about: 'Uses the primary colour for the header.' },
    bubbleColor: { about: 'The button on the page.', unset: 'The primary colour if empty' },
    initialMessages: { about: 'What the agent says before the visitor writes.' },
    showInitialMessageBubble: {
      label: 'Show the first message beside the button',
      about: 'It appears after 2 seconds, until the visitor dismisses it or has a conversation.',
    },
    prompts: { label: 'Suggested questions', about: 'Buttons that send their text.' },
    keepShowing: {
      label: 'Keep the suggestions',
      about: 'Shows them during the conversation as well. If off, they disappear after the first message.',
    },
    messagePlaceholder: {
      about: 'The faint text in the empty input.',
      unset: 'A text in the visitor’s language if empty',
    },
    bubbleIconUrl: { about: 'A picture in the button.', unset: 'A speech bubble if empty' },
    profilePictureUrl: { about: 'A picture beside the heading and the answers.', unset: 'None if empty' },
    hideBranding: { label: 'Hide “Powered by”', about: 'Removes the line at the bottom of the panel.' },
  },
};

export const settingsPages: readonly SettingsPage[] = [
  behaviour,
  knowledge,
  schedule,
  evaluation,
  look,
  handover,
  access,
  notifications,
];
