type Json = { [key: string]: unknown };

/** Example values by name of the field, for schemas without examples. */
const values: Record<string, unknown> = {
  id: '01a1f2c4-5a33-7e0b-9b1e-0b8a5f0c2d11',
  agentId: '01a1f2c4-5a33-7e0b-9b1e-0b8a5f0c2d11',
  hash: 'd2c0b1e07c1f5a3e94b86a1d3f7e0c5528b9d4f6a17083ce5b2f9d60e41a7c38',
  documentId: '01a1f2c5-7c10-7d44-8c3a-6f1d2e9b4a07',
  conversationId: '01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10',
  name: 'Support',
  url: 'https://docs.acme.com/reset',
  title: 'How to reset the device',
  content: 'Hold the power button for ten seconds.',
  text: 'Hold the power button for ten seconds.',
  quote: 'Hold the power button for ten seconds.',
  questions: ['How do I reset the device?'],
  answer: 'Hold the power button for ten seconds.',
  message: 'How do I reset the device?',
  messageId: '1042',
  userMessageId: '1041',
  userId: 'u-17',
  query: 'reset the device',
  fileName: 'manual.pdf',
  target: 'https://docs.acme.com/reset',
  storagePath: 'agents/01a1f2c4-5a33-7e0b-9b1e-0b8a5f0c2d11/01a1f2c7-0b11-7c22-9d33-4e55f6a7b8c9.pdf',
  uploadUrl:
    'https://files.acme.com/uploads/agents/01a1f2c4-5a33-7e0b-9b1e-0b8a5f0c2d11/manual.pdf?token=SIGNED_TOKEN',
  token: 'SIGNED_TOKEN',
  jobId: '42',
  cursor: null,
  hasMore: false,
  total: 1,
  toolCallId: 'call_1',
  toolName: 'open_ticket',
  inputSchema: { type: 'object', properties: { subject: { type: 'string' } } },
  comment: 'It worked.',
  feedbackComment: 'It worked.',
  language: 'en',
  primaryColor: '#0055ff',
  bubbleColor: '#0055ff',
  bubbleIconUrl: 'https://acme.com/icon.png',
  profilePictureUrl: 'https://acme.com/agent.png',
  instructionsPrompt: 'Answer in two sentences.',
  limitMessage: 'Please wait a moment.',
  domains: ['https://acme.com', '*.acme.com'],
  prompts: ['How do I reset the device?'],
  initialMessages: ['Hello! How can I help?'],
  messagePlaceholder: 'Ask me anything',
  maxMessages: 20,
  windowSeconds: 240,
  plan: 'business',
  day: '2026-11-22',
  startDay: '2026-11-16',
  endDay: '2026-11-22',
  lastError: null,
  reconnectReason: null,
  error: { code: 'FETCH_TIMEOUT', message: 'The page did not respond in time.' },
};

/** Example of a timestamp, in Unix seconds. */
const MOMENT = 1_795_312_800;

const isIn = (schema: Json, type: string): boolean => [schema.type].flat().includes(type);

/**
 * Returns the schema's own example, else a typical value for the field's name, else a minimal value of its type. Of
 * mutually exclusive fields (`oneOf` with `required`), it shows the first.
 */
export function exampleOf(schema: Json, name = ''): unknown {
  const { examples, const: only, enum: choices, anyOf, oneOf } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0];
  if (schema.properties) return objectOf(schema);
  const alternatives = (anyOf ?? oneOf) as Json[] | undefined;
  if (alternatives) return exampleOf(alternatives[0] ?? {}, name);
  if (isIn(schema, 'array') && !Object.hasOwn(values, name))
    return [exampleOf((schema.items ?? {}) as Json, name)];
  if (schema.type === 'null') return null;
  if (isIn(schema, 'integer') || isIn(schema, 'number')) return numberOf(schema, name);
  // Ids of messages and jobs.
  if (String(schema.pattern ?? '').startsWith('^[1-9]')) return values.messageId;
  if (Object.hasOwn(values, name)) return values[name];
  if (isIn(schema, 'boolean')) return true;
  if (isIn(schema, 'string')) return schema.format === 'uuid' ? values.id : 'text';
  return {};
}

function numberOf({ description, minimum }: Json, name: string): unknown {
  if (String(description ?? '').includes('Unix seconds')) return MOMENT;
  return typeof values[name] === 'number' ? values[name] : Math.max(Number(minimum ?? 0), 1);
}

function objectOf({ properties, oneOf, required = [] }: Json): Json {
  const [chosen, ...others] = ((oneOf as { required?: string[] }[] | undefined) ?? []).map(
    (choice) => choice.required ?? [],
  );
  const hidden = new Set(others.flat().filter((field) => !chosen?.includes(field)));
  const shown = Object.entries(properties as Record<string, Json>).filter(
    ([field]) => !hidden.has(field) || (required as string[]).includes(field),
  );
  return Object.fromEntries(shown.map(([field, schema]) => [field, exampleOf(schema, field)]));
}
