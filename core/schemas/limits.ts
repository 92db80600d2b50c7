/** Limits of spec.md section 8. Characters are Unicode code points, bytes are UTF-8 bytes. */
export const limits = {
  page: { min: 1, max: 100, default: 20 },
  agentName: { min: 1, max: 255 },
  url: { max: 2048 },
  sourceTitle: { min: 1, max: 200 },
  contentBytes: 262_144,
  questions: { max: 10, length: 500 },
  files: { max: 20, bytes: 52_428_800 },
  fileName: { min: 1, max: 255 },
  initialMessages: { max: 5, length: 140 },
  messagePlaceholder: 100,
  prompts: { max: 4, length: 80 },
  rateLimit: {
    maxMessages: { min: 1, max: 100 },
    windowSeconds: { min: 10, max: 3600 },
    limitMessage: { min: 1, max: 500 },
  },
  domainExpression: 2048,
  bodyBytes: 2 * 1024 * 1024,
  requestId: 128,
} as const;

export const fileExtensions = ['.pdf', '.txt', '.md', '.docx', '.xlsx', '.pptx'] as const;
