import { extractive } from '../../adapters/extractive/index.js';
import { filesystem } from '../../adapters/filesystem/index.js';
import { localQueue } from '../../adapters/local-queue/index.js';
import { loadSettings, pluginBaseDir } from '../../config/load-settings.js';
import { loadPlugins } from '../../plugins/load-plugins.js';
import t from '../support/t.js';

const wire = async (env: Record<string, string>) => {
  const surroundings = { env, cwd: '/srv/cadre' };
  const settings = loadSettings(surroundings);
  const plugins = await loadPlugins(settings.plugins, { baseDir: pluginBaseDir(surroundings) });
  const { plugins: selected, ...others } = settings;
  return { plugins, selected, others };
};

t.test('the shipped defaults select the filesystem, the local queue and extractive answers', async (t) => {
  const { plugins } = await wire({});
  t.equal(plugins.storage.plugin, filesystem);
  t.equal(plugins.queue.plugin, localQueue);
  t.equal(plugins.model.plugin, extractive);
  t.same(plugins.storage.options, {});
});

const swaps: { env: Record<string, string>; storage: string; queue: string }[] = [
  { env: { AMQP_URL: 'amqp://mq' }, storage: 'filesystem', queue: 'rabbitmq' },
  {
    env: { AZURE_STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true' },
    storage: 'azure-blob',
    queue: 'local',
  },
  {
    env: { CADRE_PLUGINS_QUEUE_USE: 'rabbitmq', CADRE_PLUGINS_QUEUE_OPTIONS: '{"url":"amqp://mq"}' },
    storage: 'filesystem',
    queue: 'rabbitmq',
  },
  {
    env: { CADRE_PLUGINS_STORAGE_USE: 'filesystem', AMQP_URL: 'amqp://mq' },
    storage: 'filesystem',
    queue: 'rabbitmq',
  },
];

for (const { env, storage, queue } of swaps)
  t.test(
    `${Object.keys(env).join(' and ')} selects ${storage} and ${queue}, and nothing else changes`,
    async (t) => {
      const { plugins, others } = await wire(env);
      t.equal(plugins.storage.plugin.name, storage);
      t.equal(plugins.queue.plugin.name, queue);
      t.same(others, (await wire({})).others);
    },
  );

t.test('frozen settings stay unchanged when a plugin adds its defaults', async (t) => {
  const { plugins, selected } = await wire({ AMQP_URL: 'amqp://mq' });
  t.same(selected.queue.options, { url: 'amqp://mq' });
  t.same(plugins.queue.options, { url: 'amqp://mq', prefix: 'cadre' });
});
