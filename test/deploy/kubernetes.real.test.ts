import { BlockList } from 'node:net';
import { loadSettings } from '../../config/load-settings.js';
import { credentials } from '../../config/plugin-credentials.js';
import { settingKeys } from '../../config/setting-keys.js';
import { describedMetrics } from '../../docs/references/metrics.js';
import t from '../support/t.js';
import { parseBlockYaml } from './block-yaml.js';
import { composeFile, textOf } from './deployment.js';

/* Checks the structure of the manifests without a cluster. */

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  name: string;
  image: string;
  command?: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  envFrom?: { secretRef: { name: string; optional?: string } }[];
  ports?: { name: string; containerPort: string }[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts?: { name: string }[];
}

interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    terminationGracePeriodSeconds?: string;
    topologySpreadConstraints?: {
      topologyKey: string;
      labelSelector: { matchLabels: Record<string, string> };
    }[];
    securityContext: Record<string, unknown>;
    containers: Container[];
    volumes?: { name: string }[];
  };
}

interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  namespaceSelector?: { matchLabels: Record<string, string> };
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    template?: Pod;
    replicas?: string;
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    podSelector?: { matchLabels: Record<string, string> };
    ports?: { targetPort: string }[];
    ingress?: { from?: Peer[]; ports?: { port: string }[] }[];
    egress?: { to: Peer[]; ports: { port?: string }[] }[];
    scaleTargetRef?: { kind: string; name: string };
    metrics?: { external: { metric: { name: string } } }[];
  };
}

const manifests = ['cadre.yaml', 'autoscaling.yaml']
  .flatMap((file) => textOf(`deploy/kubernetes/${file}`).split(/^---$/m))
  .map((part) => parseBlockYaml(part) as unknown as Manifest);
const workloads = manifests.flatMap(({ kind, metadata, spec }) =>
  spec.template ? [{ kind, name: metadata.name, template: spec.template, spec }] : [],
);
const pods = workloads.map(({ template }) => template.metadata.labels);
const matches = (labels: Record<string, unknown>): boolean =>
  pods.some((pod) => Object.entries(labels).every(([name, value]) => pod[name] === value));
const known = new Set([...settingKeys.map(({ env }) => env), ...credentials.map(({ name }) => name)]);

const kinds: Record<string, string> = {
  Job: 'batch/v1',
  Deployment: 'apps/v1',
  Service: 'v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
};

t.test('every manifest has a valid kind and a unique name', async (t) => {
  for (const { kind, apiVersion, metadata } of manifests) {
    t.equal(apiVersion, kinds[kind], kind);
    t.match(metadata.name, /^cadre-[a-z]+$/);
  }
  const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  t.equal(new Set(names).size, names.length);
  t.same(workloads.map(({ name }) => name).sort(), ['cadre-api', 'cadre-migrate', 'cadre-worker']);
});

t.test('selectors match their pods', async (t) => {
  for (const { kind, metadata, spec } of manifests) {
    const { selector, podSelector, template } = spec;
    const labels =
      podSelector?.matchLabels ?? selector?.matchLabels ?? (selector as Record<string, unknown> | undefined);
    if (labels === undefined) continue;
    t.ok(matches(labels), `${kind} ${metadata.name}`);
    if (template) t.same(template.metadata.labels, labels);
  }
});

t.test('containers are limited and unprivileged; their health checks use existing ports', async (t) => {
  for (const { kind, name, template } of workloads) {
    t.equal(template.spec.securityContext.runAsNonRoot, 'true', name);
    const volumes = (template.spec.volumes ?? []).map((volume) => volume.name);
    for (const container of template.spec.containers) {
      t.match(container.resources.limits.memory, /^\d+Mi$/);
      t.match(container.securityContext, {
        readOnlyRootFilesystem: 'true',
        allowPrivilegeEscalation: 'false',
        capabilities: { drop: ['ALL'] },
      });
      for (const { name: mount } of container.volumeMounts ?? []) t.ok(volumes.includes(mount), mount);
      if (kind === 'Job') continue;
      const ports = (container.ports ?? []).map((port) => port.name);
      const { startupProbe, livenessProbe, readinessProbe } = container;
      t.equal(startupProbe?.httpGet.path, '/livez');
      t.equal(livenessProbe?.httpGet.path, '/livez');
      t.equal(readinessProbe?.httpGet.path, '/readyz');
      for (const probe of [startupProbe, livenessProbe, readinessProbe])
        t.ok(ports.includes(probe?.httpGet.port ?? ''), `${name} has the port of its probe`);
    }
  }
});

t.test('every process starts with its settings; a worker cannot reach the database', async (t) => {
  const values: Record<string, string> = {
    DATABASE_URL: 'mysql://cadre:x@db.example/cadre',
    AMQP_URL: 'amqp://cadre:x@mq.example/cadre',
    AZURE_STORAGE_CONNECTION_STRING: 'AccountName=cadre;AccountKey=a2V5',
    BOOTSTRAP_API_KEY: 'a-key-of-sixteen-or-more',
    CADRE_SECRETS_KEY: 'a-key-of-thirty-two-letters-or-more',
    CADRE_HTTP_PUBLIC_URL: 'https://agents.example.com',
    CADRE_HTTP_TRUSTED_PROXIES: '10.0.0.0/8',
  };
  for (const { name, template } of workloads)
    for (const container of template.spec.containers) {
      const { env } = container;
      for (const { name: variable, valueFrom } of env) {
        t.ok(known.has(variable), `${name}: ${variable}`);
        if (valueFrom) t.same(valueFrom.secretKeyRef, { name: 'cadre', key: variable });
        if (/URL|KEY|CONNECTION/.test(variable)) t.ok(valueFrom, `${variable} comes from the secret`);
      }
      const given = Object.fromEntries(env.map((one) => [one.name, one.value ?? values[one.name] ?? '']));
      const settings = loadSettings({ env: given, cwd: '/' });
      const { shutdown, http } = settings;
      const { terminationGracePeriodSeconds: grace } = template.spec;
      const preStopMs = Number(container.lifecycle?.preStop.exec.command[1] ?? 0) * 1000;
      if (name !== 'cadre-migrate')
        t.ok(
          Number(grace) * 1000 > preStopMs + http.drainDelayMs + shutdown.deadlineMs,
          `${name} has time to drain and to stop`,
        );
      if (name === 'cadre-worker') {
        t.same(settings.roles, ['worker']);
        t.notOk('DATABASE_URL' in given || 'BOOTSTRAP_API_KEY' in given);
        t.equal(given.CADRE_WORKERS_PORT, composeFile().services.worker?.environment?.CADRE_WORKERS_PORT);
      }
      if (name === 'cadre-api') {
        t.same(settings.roles, ['api']);
        t.equal(http.drainDelayMs, 10_000);
        t.same(container.lifecycle?.preStop.exec.command, ['sleep', '5']);
        t.equal(given.CADRE_OPERATIONS_PORT, composeFile().services.api?.environment?.CADRE_OPERATIONS_PORT);
      }
    }
});

t.test('API and worker take trace settings from an optional secret', async (t) => {
  for (const { name, template } of workloads) {
    const [container] = template.spec.containers;
    const expected =
      name === 'cadre-migrate' ? undefined : [{ secretRef: { name: 'cadre-traces', optional: 'true' } }];
    t.same(container?.envFrom, expected, name);
  }
});

t.test('replicas are spread over nodes and zones', async (t) => {
  for (const { kind, name, template } of workloads) {
    if (kind === 'Job') continue;
    const { topologySpreadConstraints = [] } = template.spec;
    const keys = topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
    t.same(keys, ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'], name);
    for (const { labelSelector } of topologySpreadConstraints)
      t.same(labelSelector.matchLabels, template.metadata.labels, name);
  }
});

t.test('every port is open to the namespaces of its clients only', async (t) => {
  for (const { name, kind, template } of workloads) {
    if (kind === 'Job') continue;
    const policy = manifests.find((one) => one.kind === 'NetworkPolicy' && one.metadata.name === name);
    t.same(policy?.spec.podSelector?.matchLabels, template.metadata.labels, name);
    t.ok((policy?.spec as { policyTypes?: string[] } | undefined)?.policyTypes?.includes('Ingress'), name);
    const rules = policy?.spec.ingress ?? [];
    for (const { from = [], ports = [] } of rules) {
      t.ok(from.length > 0 && ports.length > 0, `${name} names who may connect, and to what`);
      for (const peer of from) t.ok(peer.namespaceSelector?.matchLabels['kubernetes.io/metadata.name'], name);
    }
    const open = rules.flatMap(({ ports = [] }) => ports.map(({ port }) => port));
    const listening = template.spec.containers.flatMap(({ ports = [] }) =>
      ports.map((port) => port.containerPort),
    );
    t.same(open.sort(), listening.sort(), `${name}: every port that listens`);
  }
});

t.test('workers reach DNS, queue, storage and the web, but no private addresses', async (t) => {
  const policy = manifests.find(
    ({ kind, metadata }) => `${kind}/${metadata.name}` === 'NetworkPolicy/cadre-worker',
  );
  const rules = policy?.spec.egress ?? [];
  const blocks = rules.flatMap(({ to }) => to.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : [])));
  const [v4, v6] = ['0.0.0.0/0', '::/0'].map(
    (cidr) => blocks.find((block) => block.cidr === cidr)?.except ?? [],
  );
  for (const address of [
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '127.0.0.1',
  ])
    t.ok(
      v4?.some((cidr) => contains(cidr, address)),
      `${address} is out of reach`,
    );
  for (const address of ['::1', 'fd00::1', 'fe80::1', '64:ff9b::a01:203'])
    t.ok(
      v6?.some((cidr) => contains(cidr, address)),
      `${address} is out of reach`,
    );
  for (const address of ['1.1.1.1', '172.32.0.1', '192.169.0.1'])
    t.notOk(
      v4?.some((cidr) => contains(cidr, address)),
      `${address} is within reach`,
    );
  // Placeholders for the addresses of queue and storage.
  const single = blocks.filter(({ cidr }) => cidr.endsWith('/32')).map(({ cidr }) => cidr);
  t.same(single, ['192.0.2.10/32', '192.0.2.20/32']);
  const [dns] = rules;
  t.same(dns?.to, [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }]);
  t.same(
    dns?.ports.map(({ port }) => port),
    ['53', '53'],
  );
});

function contains(cidr: string, address: string): boolean {
  const [network = '', bits] = cidr.split('/');
  const family = network.includes(':') ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
}

t.test('workers scale by a metric that the APIs expose', async (t) => {
  const scaler = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler');
  t.match(scaler?.spec.scaleTargetRef, { kind: 'Deployment', name: 'cadre-worker' });
  const text = textOf('deploy/kubernetes/autoscaling.yaml');
  const name = scaler?.spec.metrics?.[0]?.external.metric.name ?? '';
  t.match(text, `name: { as: ${name} }`, 'the rule of the adapter makes it');
  const [, series = ''] = /seriesQuery: (\w+)/.exec(text) ?? [];
  t.ok(
    describedMetrics().api.some((metric) => metric.name === series),
    series,
  );
});
