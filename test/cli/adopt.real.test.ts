import { join } from 'node:path';
import type { Test } from 'tap';
import { startProcess } from '../real/cadre-process.js';
import { commandLine } from '../support/command-line.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../support/rabbitmq.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

interface Adopted {
  adoptedFrom: string | null;
}

/** Starts an API process that is killed with the test. */
async function running(t: Test, env: Record<string, string>) {
  const api = await startProcess('api', { ROLES: 'api', PORT: '0', ...env });
  t.teardown(() => (api.ended() ? undefined : api.kill()));
  return api;
}

/** Another database with a workspace, and these settings. */
async function other(t: Test, env: Record<string, string>) {
  const DATA_DIR = tempFolder(t);
  await commandLine({ DATA_DIR }).json('workspace', 'create', '--name', 'Other', '--plan', 'free');
  return commandLine({ DATA_DIR, ...env });
}

t.test('a storage is not adopted from an installation that is running, unless forced', async (t) => {
  const DATA_DIR = tempFolder(t);
  const storage = {
    CADRE_PLUGINS_STORAGE_OPTIONS: JSON.stringify({ folder: join(DATA_DIR, 'uploads') }),
  };
  const [api, cli] = [await running(t, { DATA_DIR }), await other(t, storage)];
  const { code, message } = await cli.refused('installation', 'adopt');
  t.equal(code, 'INSTALLATION_ALIVE');
  t.match(message, new RegExp(`api-[^ ]+-${api.pid} reported .* add --force`, 'i'));
  const { storage: owned } = await commandLine({ DATA_DIR }).json<{ storage: object }>('doctor');
  t.match(owned, { ok: true }, 'the claim has not moved');

  t.equal(await api.stop(), 0);
  t.match(await cli.json<Adopted>('installation', 'adopt'), { adoptedFrom: /^[0-9a-f]{12}$/ });
  t.match(await cli.json<Adopted>('installation', 'adopt'), { adoptedFrom: null });

  const again = await running(t, {
    DATA_DIR: await tempFolder(t),
    CADRE_PLUGINS_STORAGE_OPTIONS: JSON.stringify({ folder: join(DATA_DIR, 'third') }),
  });
  const late = await other(t, {
    CADRE_PLUGINS_STORAGE_OPTIONS: JSON.stringify({ folder: join(DATA_DIR, 'third') }),
  });
  await again.kill();
  t.match(await late.refused('installation', 'adopt'), { code: 'INSTALLATION_ALIVE' });
  t.match(await late.json<Adopted>('installation', 'adopt', '--force'), { adoptedFrom: /^[0-9a-f]{12}$/ });
});

t.test(
  'a queue is not adopted from an installation that is running',
  { skip: await rabbitmqMissing() },
  async (t) => {
    const prefix = freshPrefix();
    t.teardown(() => deleteQueues(prefix));
    const queue = {
      AMQP_URL: amqpUrl,
      CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
    };
    const DATA_DIR = tempFolder(t);
    const api = await running(t, { DATA_DIR, ...queue });
    const cli = await other(t, queue);
    t.match(await cli.refused('installation', 'adopt'), {
      code: 'INSTALLATION_ALIVE',
      message: /1 of its API processes listen on the queue/,
    });
    t.match(await cli.run('doctor', '--json'), { code: 1 });

    const thief = await other(t, {
      CADRE_PLUGINS_STORAGE_OPTIONS: JSON.stringify({ folder: join(DATA_DIR, 'uploads') }),
    });
    await thief.json<Adopted>('installation', 'adopt', '--force');
    t.match(
      await commandLine({ DATA_DIR, ...queue }).json<Adopted>('installation', 'adopt'),
      { adoptedFrom: /^[0-9a-f]{12}$/ },
      'processes of the same installation do not prevent it',
    );

    await api.stop();
    t.match(await cli.json<Adopted>('installation', 'adopt'), { adoptedFrom: null });
    t.match((await cli.run('doctor')).out, /^ok +queue/m);
  },
);
