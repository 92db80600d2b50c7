import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { credentials } from '../../config/plugin-credentials.js';
import { settingKeys } from '../../config/setting-keys.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';
import type { Yaml } from './block-yaml.js';
import {
  type ComposeService,
  composeFile,
  dockerfile,
  envFile,
  givenTo,
  interpolated,
  textOf,
  textsIn,
  variablesIn,
} from './deployment.js';

const compose = composeFile();
const services = Object.entries(compose.services);
const ours = ['migrate', 'api', 'worker'];
const known = new Set<string>([
  ...settingKeys.map((key) => key.env),
  ...credentials.map(({ name }) => name),
  'CONFIG_FILE',
]);
/** Variables of the documentation that the OpenTelemetry library reads. */
const traces = new Set(textOf('docs/tracing.md').match(/OTEL_[A-Z_]+/g));
const example = envFile(textOf('.env.example'));
const used = variablesIn(textOf('docker-compose.yml'));

const service = (name: string): ComposeService => {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
};
const networksOf = ({ networks = [] }: ComposeService): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);

t.test(
  'it has MySQL, RabbitMQ, Azurite, one migration, two APIs and two workers; optionally monitoring and a load balancer',
  async (t) => {
    const always = services.flatMap(([name, { profiles = [] }]) => (profiles.length === 0 ? [name] : []));
    t.same(always.sort(), ['api', 'azurite', 'migrate', 'mysql', 'rabbitmq', 'worker']);
    const balancer = services.flatMap(([name, { profiles = [] }]) =>
      profiles.includes('balancer') ? [name] : [],
    );
    t.same(balancer, ['balancer']);
    const monitoring = services.flatMap(([name, { profiles = [] }]) =>
      profiles.includes('monitoring') ? [name] : [],
    );
    t.same(monitoring.sort(), ['grafana', 'prometheus']);
    t.match(service('mysql').image, /^mysql:8\./);
    t.match(service('rabbitmq').image, /^rabbitmq:4\.\d+-management$/);
    t.equal(service('api').deploy?.replicas, '2');
    t.equal(service('worker').deploy?.replicas, '2');
  },
);

t.test('every required value is requested by name, and is in .env.example', async (t) => {
  for (const { name, message } of used)
    t.ok(message.length > 10, `${name} says what to do when it is missing`);
  t.same([...new Set(used.map(({ name }) => name))].sort(), Object.keys(example).sort());
  t.throws(() => interpolated(used.map(({ name }) => `\${${name}:?say}`).join(), {}), /: say/);
});

t.test(
  'the files contain no secret, and the placeholders of .env.example cannot be mistaken for one',
  async (t) => {
    const secrets = Object.keys(example).filter((name) => /PASSWORD|KEY/.test(name));
    t.equal(secrets.length, 7);
    for (const name of secrets) t.match(example[name], /^REPLACE/, name);
    for (const [name, { environment = {} }] of services)
      for (const [variable, value] of Object.entries(environment))
        if (value !== null && /PASS|KEY|SECRET|ACCOUNTS|URL|CONNECTION/.test(variable))
          t.ok(variablesIn(value).length > 0, `${name}: ${variable} comes from .env`);
  },
);

t.test('our processes are only given names that the configuration knows', async (t) => {
  for (const name of ours)
    for (const variable of Object.keys(service(name).environment ?? {}))
      t.ok(known.has(variable) || traces.has(variable), `${name}: ${variable}`);
  const set = dockerfile()
    .filter(({ stage, word }) => stage === 'cadre' && word === 'ENV')
    .flatMap(({ rest }) => rest.split(' ').map((pair) => pair.split('=').at(0) ?? ''));
  for (const variable of set) t.ok(variable === 'NODE_ENV' || known.has(variable), `Dockerfile: ${variable}`);
});

t.test('APIs and workers get the trace settings that are set, and no other secrets', async (t) => {
  for (const name of ['api', 'worker']) {
    const passed = Object.entries(service(name).environment ?? {}).filter(([, value]) => value === null);
    t.ok(passed.length > 4, name);
    for (const [variable] of passed) t.match(variable, /^OTEL_/, `${name}: ${variable}`);
    for (const variable of ['ENDPOINT', 'HEADERS'])
      t.ok(`OTEL_EXPORTER_OTLP_${variable}` in (service(name).environment ?? {}), `${name}: ${variable}`);
  }
});

t.test('the APIs trust the address of the load balancer only', async (t) => {
  const { networks } = service('balancer');
  const { work } = networks as Record<string, { ipv4_address: string }>;
  t.equal(example.CADRE_HTTP_TRUSTED_PROXIES, work?.ipv4_address);
});

t.test('a worker cannot reach the database', async (t) => {
  const names = Object.keys(service('worker').environment ?? {});
  t.notOk(names.some((name) => name.startsWith('DATABASE') || name.startsWith('BOOTSTRAP')));
  t.equal(service('worker').environment?.ROLES, 'worker');
  t.equal(service('api').environment?.ROLES, 'api');
  const shared = networksOf(service('worker')).filter((name) => networksOf(service('mysql')).includes(name));
  t.same(shared, [], 'no network in common with MySQL');
});

t.test('the migration completes before our processes start', async (t) => {
  t.same(service('migrate').depends_on, { mysql: { condition: 'service_healthy' } });
  t.equal(service('migrate').restart, 'no');
  for (const name of ['api', 'worker']) {
    const { depends_on = {} } = service(name);
    t.equal(depends_on.migrate?.condition, 'service_completed_successfully', name);
    t.equal(depends_on.rabbitmq?.condition, 'service_healthy', name);
    t.equal(depends_on.azurite?.condition, 'service_healthy', name);
  }
});

t.test('everything is limited and restarts, and only the necessary ports are exposed', async (t) => {
  for (const [name, { deploy, restart, healthcheck, ports = [] }] of services) {
    t.match(deploy?.resources?.limits?.memory, /^\d+[MG]$/, `${name} has a memory limit`);
    t.equal(restart, name === 'migrate' ? 'no' : 'unless-stopped', `${name} restarts`);
    if (name !== 'migrate') t.equal(healthcheck?.test[0], 'CMD', `${name} is watched`);
    for (const port of ports)
      t.match(port, /^(127\.0\.0\.1|\$\{BIND_ADDRESS:.*\}):/, `${name} listens on ${port}`);
  }
  t.same(service('mysql').ports ?? [], [], 'MySQL is not published');
});

t.test('every referenced service, network, volume, stage and script exists', async (t) => {
  const stages = dockerfile().map(({ stage }) => stage);
  for (const [name, { depends_on = {}, volumes = [], build, command, ...rest }] of services) {
    for (const other of Object.keys(depends_on)) t.ok(compose.services[other], `${name} depends on ${other}`);
    for (const network of networksOf(rest)) t.ok(network in compose.networks, `${name} is in ${network}`);
    for (const volume of volumes) {
      const source = volume.slice(0, volume.indexOf(':'));
      const isThere = source.startsWith('./') ? existsSync(projectFile(source)) : source in compose.volumes;
      t.ok(isThere, `${name}: ${volume}`);
    }
    if (build) t.ok(stages.includes(build.target), `${name} is built as ${build.target}`);
    for (const script of (command ?? []).filter((word) => word.startsWith('dist/')))
      t.ok(
        existsSync(projectFile(script.slice('dist/'.length).replace(/\.js$/, '.ts'))),
        `${name} runs ${script}`,
      );
  }
});

t.test('a completed .env.example gives every process valid settings', async (t) => {
  const { loadSettings } = await import('../../config/load-settings.js');
  const values = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      value.startsWith('REPLACE') ? `${name}0123456789abcdefghij`.replaceAll('_', '') : value,
    ]),
  );
  for (const name of ours) {
    const env = Object.fromEntries(
      Object.entries(givenTo(service(name))).map(([key, text]) => [key, interpolated(text, values)]),
    );
    const { roles, plugins, database, http, shutdown } = loadSettings({ env, cwd: '/' });
    if (name === 'migrate') continue;
    t.ok(
      Number.parseInt(service(name).stop_grace_period ?? '', 10) * 1000 >
        http.drainDelayMs + shutdown.deadlineMs,
      `${name} has time to drain and to stop`,
    );
    if (name === 'api') t.equal(http.drainDelayMs, 10_000);
    t.same(roles, [name]);
    t.equal(plugins.queue.use, 'rabbitmq');
    t.equal(plugins.storage.use, 'azure-blob');
    t.equal(database.url === null, name === 'worker');
  }
});

const client = spawnSync('docker', ['compose', 'version'], { encoding: 'utf8' });
const skip = client.status === 0 ? false : 'the Docker client has no compose plugin';

t.test('docker compose interprets the file like this test', { skip }, async (t) => {
  const args = ['compose', '--env-file', '.env.example', 'config', '--format', 'json'];
  const { status, stdout, stderr } = spawnSync('docker', args, {
    cwd: fileURLToPath(projectFile('.')),
    encoding: 'utf8',
  });
  t.equal(status, 0, stderr);
  const theirs: { services: Record<string, ComposeService> } = JSON.parse(stdout);
  t.same(Object.keys(theirs.services).sort(), Object.keys(compose.services).sort());
  for (const [name, { environment = {} }] of services)
    for (const { path, text } of textsIn(environment as Yaml))
      t.equal(theirs.services[name]?.environment?.[path], interpolated(text, example), `${name}: ${path}`);
});
