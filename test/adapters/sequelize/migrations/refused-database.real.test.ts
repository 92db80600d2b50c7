import { connect } from '../../../../adapters/sequelize/connect.js';
import { createMigrator } from '../../../../adapters/sequelize/migrations/migrate.js';
import { singleSteps } from '../../../../adapters/sequelize/migrations/pending.js';
import { commandLine } from '../../../support/command-line.js';
import { launchMain } from '../../../support/main-process.js';
import { emptyDatabase, onEachEngine } from '../../../support/service.js';

const sentence =
  'The database was migrated by a newer version of Cadre (unknown migrations: 999-of-tomorrow). Start that version or a later one, or restore a backup made before the upgrade.';

await onEachEngine('rejects a database migrated by a newer version', async (t, engine) => {
  const url = await emptyDatabase(t, engine);
  const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  await createMigrator(connection).up();
  await connection.sequelize.query(`INSERT INTO migrations (name) VALUES ('999-of-tomorrow')`);
  await connection.close();

  await t.test('in the server', async (t) => {
    const main = launchMain(t, { DATABASE_URL: url });
    const { code } = await main.ended;
    t.equal(code, 1);
    t.equal(main.output.stderr.trim(), sentence);
    t.notMatch(main.output.stdout, 'listening on');
  });

  await t.test('in commands', async (t) => {
    const cli = commandLine({ DATABASE_URL: url });
    for (const args of [['migrate'], ['migrate', '--status'], ['workspace', 'list']])
      t.same(await cli.refused(...args), { code: 'DATABASE_UNAVAILABLE', message: sentence }, args.join(' '));
    const { code, out } = await cli.run('doctor', '--json');
    t.equal(code, 1);
    t.match(JSON.parse(out), { database: { ok: false, reason: sentence }, advice: [sentence] });
  });
});

await onEachEngine('`migrate` names the commit to go through', async (t, engine) => {
  const url = await emptyDatabase(t, engine);
  const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  await createMigrator(connection).up();
  await connection.sequelize.query('DELETE FROM migrations');
  await connection.sequelize.query('INSERT INTO migrations (name) VALUES :steps', {
    replacements: { steps: singleSteps.slice(0, -1).map((step) => [step]) },
  });
  await connection.close();
  const refusal = await commandLine({ DATABASE_URL: url }).refused('migrate');
  t.same(refusal, {
    code: 'DATABASE_UNAVAILABLE',
    message: `The database was made by a version before the first release (missing migrations: ${singleSteps.at(-1)}). Run \`migrate\` of commit fd6b7601, then start this version.`,
  });
});
