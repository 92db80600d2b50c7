import t from 'tap';
import { loadSettings } from '../../config/load-settings.js';
import { credentials } from '../../config/plugin-defaults.js';
import { settingKeys } from '../../config/setting-keys.js';
import { parseBlockYaml } from './block-yaml.js';
import { composeFile, textOf } from './deployment.js';

/* The structure of the manifests. No cluster is asked: what a field means there is not tested here. */

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
    securityContext: Record<string, unknown>;
    containers: Container[];
    volumes?: { name: string }[];
  };
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
  };
}

const manifests = textOf('deploy/kubernetes/cadre.yaml')
  .split(/^---$/m)
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
};

t.test('every manifest has a kind that there is, and a name of its own', async (t) => {
  for (const { kind, apiVersion, metadata } of manifests) {
    t.equal(apiVersion, kinds[kind], kind);
    t.match(metadata.name, /^cadre-[a-z]+$/);
  }
  const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  t.equal(new Set(names).size, names.length);
  t.same(workloads.map(({ name }) => name).sort(), ['cadre-api', 'cadre-migrate', 'cadre-worker']);
});

t.test('selectors find the pods that they mean', async (t) => {
  for (const { kind, metadata, spec } of manifests) {
    const { selector, podSelector, template } = spec;
    const labels =
      podSelector?.matchLabels ?? selector?.matchLabels ?? (selector as Record<string, unknown> | undefined);
    if (labels === undefined) continue;
    t.ok(matches(labels), `${kind} ${metadata.name}`);
    if (template) t.same(template.metadata.labels, labels);
  }
});

t.test(
  'containers are bounded and unprivileged; their health checks lead to ports that they have',
  async (t) => {
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
  },
);

t.test(
  'every process starts with the settings that it is given; a worker has no way to the database',
  async (t) => {
    const values: Record<string, string> = {
      DATABASE_URL: 'mysql://cadre:x@db.example/cadre',
      AMQP_URL: 'amqp://cadre:x@mq.example/cadre',
      AZURE_STORAGE_CONNECTION_STRING: 'AccountName=cadre;AccountKey=a2V5',
      BOOTSTRAP_API_KEY: 'a-key-of-sixteen-or-more',
    };
    for (const { name, template } of workloads)
      for (const { env } of template.spec.containers) {
        for (const { name: variable, valueFrom } of env) {
          t.ok(known.has(variable), `${name}: ${variable}`);
          if (valueFrom) t.same(valueFrom.secretKeyRef, { name: 'cadre', key: variable });
          if (/URL|KEY|CONNECTION/.test(variable)) t.ok(valueFrom, `${variable} comes from the secret`);
        }
        const given = Object.fromEntries(env.map((one) => [one.name, one.value ?? values[one.name] ?? '']));
        const settings = loadSettings({ env: given, cwd: '/' });
        const { shutdown, http } = settings;
        if (name !== 'cadre-migrate')
          t.ok(
            Number(template.spec.terminationGracePeriodSeconds) * 1000 >
              shutdown.deadlineMs + http.drainDelayMs,
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
          t.equal(
            given.CADRE_OPERATIONS_PORT,
            composeFile().services.api?.environment?.CADRE_OPERATIONS_PORT,
          );
        }
      }
  },
);

t.test('API and worker take the settings of traces from a secret that need not be there', async (t) => {
  for (const { name, template } of workloads) {
    const [container] = template.spec.containers;
    const expected =
      name === 'cadre-migrate' ? undefined : [{ secretRef: { name: 'cadre-traces', optional: 'true' } }];
    t.same(container?.envFrom, expected, name);
  }
});
