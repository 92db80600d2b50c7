/**
 * Every limit of what clients send (those that the API's description names, and ours). Characters are Unicode
 * code points, bytes are UTF-8 bytes.
 */
export const limits = {
  page: { min: 1, max: 100, default: 20 },
  agentName: { min: 1, max: 255 },
  url: { max: 2048 },
  sourceTitle: { min: 1, max: 200 },
  contentBytes: 262_144,
  questions: { max: 10, length: 500 },
  /**
   * For one sitemap with those nested in it: pages that get a task, files that are read, addresses that are
   * looked at, examples that are shown.
   */
  sitemap: { pages: { min: 1, max: 2000, default: 500 }, files: 20, depth: 3, listed: 100_000, examples: 5 },
  /** Of one workspace. */
  webhooks: { max: 20, description: 255, openTests: 5, failuresOfJob: 100, nearPercent: 90 },
  /** That a job shows by itself; the list of its tasks has all. */
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
  instructionsPrompt: 65_536,
  title: 1000,
  color: 255,
  domains: { max: 1000, length: 2048 },
  /** All settings of an agent together, as JSON. */
  settingsBytes: 262_144,
  question: { min: 1, max: 16_384 },
  hits: { min: 1, max: 100, default: 10 },
  usageDays: { min: 1, max: 92, default: 30 },
  usageCounters: 2000,
  /**
   * `values`: JSON values outside of a tool's output. A body with more values is refused without parsing if it is larger
   * than `bytesOfMoreValues`, which has room for the largest output: 40,000 fields, which take a parser 30 ms.
   */
  body: { bytes: 2 * 1024 * 1024, values: 10_000, bytesOfMoreValues: 320 * 1024 },
  /** A client that neither sends nor takes for so long, though it is its turn, loses its connection. */
  clientSilenceMs: 30_000,
  /** Requests on one connection that wait for their answers. */
  pipelined: 50,
  /** Requests that wait for the end of a job, in one process. */
  wait: { seconds: { min: 1, max: 30 }, atOnce: 1000, ofWorkspace: 100 },
  chat: {
    message: 16_384,
    conversationId: 128,
    tools: 32,
    toolDescription: 1024,
    toolSchemaBytes: 16_384,
    toolCallId: 128,
    toolOutputBytes: 262_144,
    toolError: 4096,
    feedbackComment: 2000,
    /**
     * Size of a page in bytes, unless one message alone is larger. Each message counts `messageBytes` more than it holds,
     * because presenting 2,000 short messages takes as much time and memory as a page of long ones.
     */
    pageBytes: 4 * 1024 * 1024,
    messageBytes: 2048,
    exportPage: 20,
    exportMessages: 1000,
    exportToolOutputBytes: 4096,
  },
} as const;
