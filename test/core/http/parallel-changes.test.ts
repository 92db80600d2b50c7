import { type Agent, body } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';

await onEachEngine(
  'two hundred concurrent changes of different fields all take effect',
  async (t, engine) => {
    const service = await startTestService(t, { engine });
    const { apiKey } = await service.workspace();
    // On SQLite, two writers just wait for each other; on a server they meet at the row lock.
    const second = engine === 'mysql' ? await service.beside() : service;
    const clients = [service.api(apiKey), second.api(apiKey)] as const;
    const { id } = await clients[0].agent();
    const changes = [
      ...[
        ['', { name: 'N' }],
        ['', { url: 'https://example.com/' }],
        ['/settings/ai', { instructionsPrompt: 'I' }],
      ],
      ...['title', 'primaryColor', 'bubbleColor', 'messagePlaceholder'].map((field) => [
        '/settings/design',
        { [field]: 'x' },
      ]),
      ...['dailyConversations', 'dailyEmails', 'quotaAlerts'].map((field) => [
        '/settings/notifications',
        { [field]: true },
      ]),
      ...[
        ['/settings/security', { isPrivate: true }],
        ['/settings/training', { autoRetrainEnabled: true }],
      ],
    ] as [string, object][];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const [path, sent] = changes[n % changes.length] ?? ['', {}];
        return clients[n % 2 === 0 ? 0 : 1].patch(`/agents/${id}${path}`, sent);
      }),
    );
    t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]));
    const { name, url, settings } = await body(clients[1].get<Agent>(`/agents/${id}`));
    t.same([name, url], ['N', 'https://example.com/']);
    t.same(settings, {
      title: 'x',
      branding: { primaryColor: 'x', bubbleColor: 'x' },
      conversation: { messagePlaceholder: 'x' },
      ai: { instructionsPrompt: 'I' },
      notification: { dailyConversations: true, dailyEmails: true, quotaAlerts: true },
      security: { isPrivate: true },
      training: { autoRetrainEnabled: true },
    });
  },
);
