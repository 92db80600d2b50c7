import { body } from '../../support/api-client.js';
import { says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { peopleOf, startSocialService } from '../../support/social.js';
import { storedWords } from '../../support/stored-words.js';
import { until } from '../../support/until.js';

const PERSON = '48151623427788';
const SECRETS = [PERSON, 'wombatly', 'platypusish', 'echidnaish'];

await onEachEngine('nothing of an erased person of a social platform stays', async (t, engine) => {
  const answerer = scriptedAnswerer();
  const settings = { channels: { gatherMs: 50 }, auth: { cacheTtlSeconds: 0 } };
  const social = await startSocialService(t, engine, { answerer, settings });
  const { platform, service, api, agent } = social;
  const { receives, exported, ends } = peopleOf(social);
  const one = await agent('500');
  await body(
    api.post(one.at('/automations'), {
      type: 'comment_to_dm',
      status: 'live',
      name: 'Prices',
      postScope: 'any',
      keywords: ['price'],
      message: 'Here: platypusish.',
    }),
  );
  // A comment gets a private reply before there is a conversation.
  await platform.deliver(platform.event.comment('500', PERSON, '17900', 'wombatly price?'));
  await ends(one, 'sent');
  const found = () => storedWords(t, { engine, databaseUrl: service.databaseUrl }, SECRETS);
  t.ok((await found()).join().includes(PERSON), 'the person is stored');

  const erase = async () => {
    const { id } = await body(
      api.post<{ id: string }>('/visitors/erase', { userId: PERSON, agentId: one.id }),
    );
    await until('the erasure', async () => {
      const { status } = await body(api.get<{ status: string }>(`/erasures/${id}`));
      return status === 'done';
    });
  };
  await erase();
  // The text of the automation stays.
  const kept = (words: string[]) => words.filter((word) => !word.endsWith('platypusish'));
  t.strictSame(kept(await found()), [], 'without a conversation');

  answerer.play(says('echidnaish'));
  await platform.write('500', PERSON, 'wombatly?');
  await receives(one, PERSON, 1);
  await ends(one, 'sent');
  t.equal((await exported(one, PERSON)).length, 1);
  await erase();
  t.strictSame(await exported(one, PERSON), []);
  t.strictSame(kept(await found()), [], 'with a conversation');
});
