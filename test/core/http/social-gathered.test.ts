import { onEachEngine } from '../../support/service.js';
import { peopleOf, startSocialService } from '../../support/social.js';

await onEachEngine(
  'messages that a person writes one after the other',
  async (t, engine) => {
    const clock = { now: () => stoppedAtMs ?? Date.now() };
    let stoppedAtMs: number | null = null;
    const settings = { channels: { gatherMs: 50 } };
    const social = await startSocialService(t, engine, { clock, settings });
    const { platform, api, agent } = social;
    const { receives } = peopleOf(social);
    const one = await agent('100');
    const texts = {
      Returns: 'You can return everything within 30 days.',
      Warehouse: 'Our warehouse is in Rotterdam, near the old harbour.',
    };
    for (const [title, content] of Object.entries(texts))
      await api.post(`/agents/${one.id}/sources/text`, { title, content });
    let person = 0;
    /** Returns the answer to messages that arrive together. */
    async function answerTo(...messages: string[]): Promise<string | undefined> {
      person += 1;
      stoppedAtMs = Date.now();
      for (const text of messages) await platform.write('100', String(person), text);
      stoppedAtMs = null;
      await receives(one, String(person), 1);
      return platform.received('100', String(person))[0];
    }

    t.match(await answerTo('Where is your warehouse?', 'Thank you!'), 'Rotterdam', 'before small talk');
    const both = await answerTo('Where is your warehouse?', 'Can I return everything?');
    t.match(both, 'Rotterdam', 'the first question');
    t.match(both, '30 days', 'the last question');
    t.notMatch(await answerTo('Hello', 'Thank you!'), /Rotterdam|30 days/, 'only small talk');
  },
  { atOnce: true },
);
