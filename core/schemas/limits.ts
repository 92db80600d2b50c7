/** Limits of all input. Characters are Unicode code points, bytes are UTF-8 bytes. */
export const limits = {
  page: { min: 1, max: 100, default: 20 },
  agentName: { min: 1, max: 255 },
  url: { max: 2048 },
  sourceTitle: { min: 1, max: 200 },
  externalId: { min: 1, max: 1024 },
  contentBytes: 262_144,
  questions: { max: 10, length: 500 },
  /**
   * For a sitemap with its nested sitemaps: pages to crawl, files to read, levels of nesting, URLs to examine, and
   * examples per reason in the report.
   */
  sitemap: { pages: { min: 1, max: 2000, default: 500 }, files: 20, depth: 3, listed: 100_000, examples: 5 },
  /** Whole sites, per agent. */
  sites: {
    most: 20,
    depth: { min: 0, max: 5, default: 2 },
    pages: { min: 1, default: 100 },
    globs: { max: 20, length: 200 },
  },
  /** Per workspace. */
  webhooks: { max: 20, description: 255, openTests: 5, failuresOfJob: 100, nearPercent: 90 },
  /** Per workspace. */
  keys: { max: 100, name: { min: 1, max: 100 }, agents: { min: 1, max: 100 }, expiryYears: 10 },
  /** Persons. `invitations`: in an hour, of a workspace; `resets…`: requests for a new password in an hour. */
  people: {
    email: 254,
    name: { min: 1, max: 100 },
    password: { min: 10, max: 256 },
    token: 64,
    code: 32,
    invitations: 20,
    resetsOfUser: 3,
    /** E-mails of a kind to a user in an hour. */
    mailsOfKind: 5,
    resetsOfNetwork: 20,
    agents: { min: 1, max: 100 },
  },
  /** Tasks in the representation of a job. The list of a job's tasks contains all of them. */
  tasksOfJob: 100,
  files: { max: 20, bytes: 52_428_800, open: 1000 },
  fileName: { min: 1, max: 255 },
  initialMessages: { max: 5, length: 140 },
  messagePlaceholder: 100,
  prompts: { max: 4, length: 80 },
  rateLimit: {
    maxMessages: { min: 1, max: 100 },
    windowSeconds: { min: 10, max: 3600 },
    limitMessage: { min: 1, max: 500 },
  },
  /** `spans`: opening hours of a day. `formText` and the others: characters of the texts of an agent. */
  handover: {
    spans: 3,
    waitSeconds: { min: 30, max: 3600, default: 120 },
    formText: 200,
    consent: 500,
    unansweredMessage: 500,
    personMessage: 4000,
    reason: 500,
    lastMessage: 200,
    eventWaitSeconds: { min: 1, max: 25 },
    authorName: 100,
  },
  /** Characters of contact details. */
  contacts: { name: 200, email: 254, phone: 40, message: 4000 },
  /** Longest interval in hours and in days; `hour`: default for days. */
  schedule: { hours: 168, days: 90, hour: 3 },
  instructionsPrompt: 65_536,
  title: 1000,
  color: 255,
  domains: { max: 1000, length: 2048 },
  /** All settings of an agent as JSON. */
  settingsBytes: 262_144,
  modelTestsPerMinute: 5,
  question: { min: 1, max: 16_384 },
  hits: { min: 1, max: 100, default: 10 },
  usageDays: { min: 1, max: 92, default: 30 },
  usageCounters: 2000,
  /** The list of open questions covers this many days, and at most this many messages. */
  openQuestions: { days: 90, messages: 10_000 },
  /**
   * Per run or per agent. `answer`: characters of an answer that are stored. `expressions`: number of regular
   * expressions in a request, and their total characters. Compiling takes up to 40 µs per character, so 1 s for all
   * of them.
   */
  /** Versions of the settings of an agent: number, and size in bytes. */
  versions: { most: 200, bytes: 8 * 1_048_576, text: 200 },
  /** Messages to drafts per workspace and minute, and earlier messages in a request. */
  drafts: { messages: 20, history: 20 },
  /** Failed pages and files of an agent. */
  failures: 400,
  /** Pictures of an agent: bytes and pixels a side of each, and their number. */
  pictures: { bytes: 262_144, side: 1024, ofAgent: 20 },
  /** Changes of the text of a page: number, and how long they are kept. */
  pageChanges: { most: 3, days: 90, diffBytes: 16_384 },
  evaluations: {
    questions: 500,
    runs: 20,
    open: 5,
    name: 100,
    type: 32,
    before: 10,
    groups: 20,
    alternatives: 20,
    pattern: 500,
    expressions: { max: 2000, characters: 25_000 },
    sources: 20,
    answer: 4000,
  },
  /** `days`: maximum length of a period. `keepDays`: retention of counters. */
  statistics: { days: 400, defaultDays: 30, keepDays: 400, sources: 10 },
  /**
   * `values`: maximum number of JSON values, without those in tool outputs. A body with more values is rejected
   * without parsing if it exceeds `bytesOfMoreValues`. The largest tool output fits into that: 40,000 fields, 30 ms
   * of parsing.
   */
  body: { bytes: 2 * 1024 * 1024, values: 10_000, bytesOfMoreValues: 320 * 1024 },
  /** Idle timeout of a connection whose client should send or receive, in milliseconds. */
  clientSilenceMs: 30_000,
  /** Maximum pipelined requests per connection. */
  pipelined: 50,
  /** For requests that wait until a job ends, per process. */
  wait: { seconds: { min: 1, max: 30 }, atOnce: 1000, ofWorkspace: 100 },
  social: {
    token: 2048,
    automations: 100,
    automationName: 255,
    keywords: 20,
    keyword: 80,
    messageBytes: 1000,
    menu: { max: 20, title: 30, message: 500 },
    starters: { max: 4, question: 80 },
    /** Bytes of the signed body of an event request, and of all bodies in progress together. */
    eventBytes: 4 * 1024 * 1024,
    allEventBytes: 16 * 1024 * 1024,
  },
  /** `sourceText` and `sourcePage`: characters of a source. `agents`: agents named in the description of a tool. */
  mcp: { bodyBytes: 262_144, sourceText: 100_000, sourcePage: 10_000, agents: 20 },
  /**
   * `bodyBytes`: body of a request for a token. `requestBytes`: other requests; a message of escape sequences takes
   * 12 bytes per character.
   */
  visitors: { bodyBytes: 8192, requestBytes: 65_536, identityBytes: 4096, message: 4000 },
  chat: {
    message: 16_384,
    conversationId: 128,
    /** Messages in a request from a client that sends the whole conversation. */
    sentMessages: 1000,
    tools: 32,
    toolDescription: 1024,
    toolSchemaBytes: 16_384,
    toolCallId: 128,
    /** Nesting depth of a call's arguments. A message to a thread overflows the stack at 2,000 to 4,000 levels. */
    argumentDepth: 1000,
    toolOutputBytes: 262_144,
    toolError: 4096,
    feedbackComment: 2000,
    /**
     * Maximum size of a page in bytes, unless its only message is larger. `messageBytes` is added per message,
     * because 2,000 short messages cost as much time and memory as a page of long messages.
     */
    pageBytes: 4 * 1024 * 1024,
    messageBytes: 2048,
    exportPage: 20,
    /**
     * A search covers the newest `conversations` and `messages`, and the newest `messagesOfOne` of each conversation.
     */
    search: { length: 200, conversations: 10_000, messages: 50_000, messagesOfOne: 1000 },
    exportMessages: 1000,
    exportToolOutputBytes: 4096,
  },
} as const;
