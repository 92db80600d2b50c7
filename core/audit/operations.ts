/**
 * How a field is shown: `text` cut, `hash` as length and hash, `url` without query and user.
 */
export type Shown = 'text' | 'hash' | 'url';

type Fields = Readonly<Record<string, Shown>>;

const texts = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, 'text']));
const nothing: Fields = {};

/** The audited operations with the fields that their rows may show. All other fields stay out of the log. */
export const auditedOperations: Readonly<Record<string, Fields>> = {
  createAgent: { ...texts('name'), url: 'url' },
  updateAgent: { ...texts('name'), url: 'url' },
  deleteAgent: nothing,
  updateAiSettings: { ...texts('model', 'instructionsPreset'), instructionsPrompt: 'hash' },
  updateSecuritySettings: texts('isPrivate', 'rateLimit', 'allowedDomains'),
  updateNotificationSettings: texts('dailyConversations', 'dailyEmails', 'quotaAlerts'),
  updateTrainingSettings: texts('autoRetrainEnabled'),
  updateScheduleSettings: texts('every', 'unit', 'hour', 'timeZone'),
  updateEvaluationSettings: texts('afterTraining'),
  updateHandoverSettings: texts(
    ...['enabled', 'offer', 'hours', 'waitSeconds', 'form', 'showNames', 'unansweredMessage'],
  ),
  updateShareSettings: texts('enabled'),
  updateDesignSettings: {
    ...texts('title', 'language', 'appearance', 'primaryColor', 'bubbleColor', 'primaryColorHeader'),
    ...texts('position', 'showInitialMessageBubble', 'initialMessages', 'messagePlaceholder'),
    ...texts('hideBranding', 'keepShowing', 'prompts', 'defaultPrompts'),
    bubbleIconUrl: 'url',
    profilePictureUrl: 'url',
  },
  restoreVersion: nothing,
  deleteVersion: nothing,
  addTextSource: { ...texts('title', 'externalId'), content: 'hash' },
  addQnaSource: { ...texts('title', 'externalId'), questions: 'hash', answer: 'hash' },
  addUrlSource: { url: 'url' },
  addSitemapSource: { url: 'url', limit: 'text' },
  registerFiles: nothing,
  updateSource: {
    ...texts('title', 'externalId', 'schedule'),
    content: 'hash',
    questions: 'hash',
    answer: 'hash',
  },
  acceptSource: nothing,
  deleteSource: nothing,
  retrain: nothing,
  retryFailure: nothing,
  deleteFailure: nothing,
  cancelJob: nothing,
  retryJob: nothing,
  resolveQuestion: nothing,
  deleteConversation: nothing,
  deleteContact: nothing,
  createEvaluation: texts('name'),
  cancelEvaluation: nothing,
  deleteEvaluation: nothing,
  keepEvaluationQuestions: nothing,
  keepMessageAsQuestion: nothing,
  deleteEvaluationQuestion: nothing,
  rotateIdentitySecret: nothing,
  deleteIdentitySecret: nothing,
  connectSocialChannel: nothing,
  disconnectSocialChannel: nothing,
  createAutomation: texts('type', 'status', 'name', 'scope'),
  updateAutomation: texts('status', 'name', 'scope'),
  deleteAutomation: nothing,
  updatePersistentMenu: nothing,
  updateConversationStarters: nothing,
  sendSocialMessage: nothing,
  updateSocialConversation: texts('paused'),
  deleteSocialConversation: nothing,
  createKey: texts('name', 'scope', 'agentIds', 'expiresAt'),
  deleteKey: nothing,
  createWebhook: { url: 'url', ...texts('events', 'description', 'enabled') },
  updateWebhook: { url: 'url', ...texts('events', 'description', 'enabled') },
  deleteWebhook: nothing,
  rotateWebhookSecret: nothing,
  testWebhook: nothing,
  redeliverWebhook: nothing,
  inviteMember: texts('role', 'agentIds'),
  updateMember: texts('role', 'agentIds', 'disabled'),
  deleteMember: nothing,
  inviteMemberAgain: nothing,
  updateMe: texts('name', 'timeZone', 'away', 'notifications'),
  updateWorkspace: texts('name', 'timeZone', 'requireTwoFactor', 'plan', 'overrides'),
};

/** Operations that change something, or only read with a body, and leave no row. */
export const unauditedOperations: ReadonlySet<string> = new Set([
  'chat',
  'retryMessage',
  'createChatCompletion',
  'sendToolResult',
  'giveFeedback',
  'leaveContact',
  'stopAnswer',
  'search',
  'testModel',
  'createUploadUrls',
  'createChatToken',
  'testMail',
]);
