import t from '../support/t.js';
import { parseBlockYaml } from './block-yaml.js';
import { composeFile, textOf } from './deployment.js';

interface Workflow {
  jobs: {
    test: {
      strategy: { matrix: { node: number[]; engines: { database: string; broker: string }[] } };
      services: Record<string, { image: string; ports: string[]; options?: string }>;
      steps: { run?: string }[];
    };
  };
}

const { test } = (parseBlockYaml(textOf('.github/workflows/ci.yml')) as unknown as Workflow).jobs;

t.test('the suite runs on the engines of docker-compose.yml, among others', async (t) => {
  const { services } = composeFile();
  const { engines, node } = test.strategy.matrix;
  t.match(engines[0], { database: services.mysql?.image, broker: services.rabbitmq?.image });
  t.match(engines[1], { database: /^mariadb:/, broker: /^rabbitmq:3\./ });
  t.match(test.services.database?.image, 'matrix.engines.database');
  t.match(test.services.broker?.image, 'matrix.engines.broker');
  t.ok(
    node.includes(Number(textOf('.nvmrc').trim().replace(/^v/, '').split('.')[0])),
    'with the Node of .nvmrc',
  );
});

t.test('every server listens where the tests expect it, and is waited for', async (t) => {
  const ports = Object.values(test.services).flatMap((service) => service.ports);
  for (const port of [3306, 5672, 6379, 5432]) t.ok(ports.includes(`${port}:${port}`), String(port));
  for (const name of ['database', 'broker']) t.match(test.services[name]?.options, '--health-cmd', name);
  const commands = test.steps.map(({ run = '' }) => run);
  const checks = commands.indexOf('bash .ci/run');
  t.ok(checks > 0);
  t.ok(
    commands.slice(0, checks).some((command) => /apt-get install .*\bmariadb-server-core\b/.test(command)),
    'tests that start a MariaDB find its program',
  );
});
