import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedMetrics } from '../../docs/references/metrics.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { programMissing } from '../support/tools.js';
import { parseBlockYaml } from './block-yaml.js';
import { composeFile, textOf } from './deployment.js';

const described = Object.values(describedMetrics()).flat();
const known = new Map(described.map(({ name, labels }) => [name, labels]));
/** Metrics of Prometheus itself, and of Node and the process. */
const given = ['up', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'];
/** Keywords of the query language. */
const functions =
  /\b(sum|min|max|count|absent|rate|increase|changes|histogram_quantile|by|and|or|unless|offset|le|__rate_interval)\b/g;

/** Metrics in an expression, without the suffixes of histograms. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ').replaceAll(functions, ' ');
  return [...bare.matchAll(/[a-z_][a-z0-9_]{2,}/g)].map(([name]) => name);
}

const isKnown = (name: string): boolean =>
  given.includes(name) || known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ''));

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const { groups } = parseBlockYaml(textOf('deploy/prometheus/alerts.yml')) as unknown as {
  groups: { rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

t.test('every alert uses existing metrics and has a runbook', async (t) => {
  t.ok(rules.length > 10);
  const headings = [...textOf('docs/runbooks.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  for (const { alert, expr, labels, annotations } of rules) {
    for (const name of metricsIn(expr)) t.ok(isKnown(name), `${alert}: ${name}`);
    t.match(labels.severity, /^(page|ticket)$/);
    t.match(annotations.summary, /^.{20,}\.$/);
    t.equal(annotations.runbook, `docs/runbooks.md#${alert.toLowerCase()}`);
    t.ok(headings.includes(alert), `${alert} has a section`);
  }
  t.same(
    headings,
    rules.map(({ alert }) => alert),
    'and no section is about nothing',
  );
  t.notOk(isKnown('cadre_no_such_metric'));
});

t.test('every panel of the dashboard uses existing metrics and labels', async (t) => {
  interface Panel {
    id: number;
    type: string;
    title: string;
    targets?: { expr: string; legendFormat: string }[];
  }
  const dashboard = JSON.parse(readFileSync(projectFile('deploy/grafana/dashboards/cadre.json'), 'utf8')) as {
    panels: Panel[];
  };
  const shown = new Set<string>();
  for (const { title, targets = [] } of dashboard.panels)
    for (const { expr, legendFormat } of targets) {
      for (const name of metricsIn(expr)) {
        t.ok(isKnown(name), `${title}: ${name}`);
        shown.add(name.replace(/_(bucket|count|sum)$/, ''));
      }
      const [base = ''] = metricsIn(expr).map((name) => name.replace(/_(bucket|count|sum)$/, ''));
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        t.ok(label === 'instance' || known.get(base)?.includes(label), `${title}: ${base} has ${label}`);
    }
  t.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  for (const name of [
    'job_duration_seconds',
    'crawl_pages_total',
    'outbox_oldest_seconds',
    'database_connections',
  ])
    t.ok(shown.has(name), `${name} is shown`);
});

t.test('Prometheus scrapes the services of docker-compose.yml on their ports', async (t) => {
  interface Scrape {
    job_name: string;
    dns_sd_configs?: { names: string[]; port: string }[];
  }
  const { scrape_configs, rule_files } = parseBlockYaml(
    textOf('deploy/prometheus/prometheus.yml'),
  ) as unknown as {
    scrape_configs: Scrape[];
    rule_files: string[];
  };
  const { services } = composeFile();
  for (const file of rule_files) t.ok(existsSync(projectFile(`deploy/prometheus/${file}`)), file);
  for (const { job_name, dns_sd_configs = [] } of scrape_configs)
    for (const { names, port } of dns_sd_configs)
      for (const name of names) {
        const { CADRE_OPERATIONS_PORT, CADRE_WORKERS_PORT } = services[name]?.environment ?? {};
        const own = CADRE_OPERATIONS_PORT ?? CADRE_WORKERS_PORT ?? '3000';
        t.equal(port, own, job_name);
        t.ok(JSON.stringify(services[name]?.networks).includes('work'), `${name} is reached`);
      }
});

const skip = programMissing('promtool', '--version', 'prometheus');

t.test('promtool: on Kubernetes, Prometheus creates the jobs that the alerts use', { skip }, async (t) => {
  const folder = tempFolder(t);
  const pods = parsePods();
  t.same(pods.map(({ role }) => role).sort(), ['api', 'worker']);
  // A list of targets replaces the cluster; the relabeling is the real one.
  const discovered = pods.flatMap(({ app, role, ports }) =>
    ports.map(({ name, containerPort }) => ({
      targets: [`10.0.0.1:${containerPort}`],
      labels: {
        __meta_kubernetes_pod_label_app: app,
        __meta_kubernetes_pod_label_role: role,
        __meta_kubernetes_pod_container_port_name: name,
        __meta_kubernetes_pod_name: `cadre-${role}-1`,
      },
    })),
  );
  writeFileSync(join(folder, 'targets.json'), JSON.stringify(discovered));
  const { scrape_configs } = parseBlockYaml(textOf('deploy/prometheus/kubernetes.yml')) as unknown as {
    scrape_configs: { kubernetes_sd_configs: unknown; relabel_configs: unknown }[];
  };
  const [scrape] = scrape_configs;
  const config = {
    scrape_configs: [
      {
        job_name: 'cadre',
        relabel_configs: scrape?.relabel_configs,
        file_sd_configs: [{ files: [join(folder, 'targets.json')] }],
      },
    ],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const args = ['check', 'service-discovery', '--timeout=2s', join(folder, 'prometheus.yml'), 'cadre'];
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  t.equal(status, 0, stdout + stderr);
  const found: { labels: Record<string, string> }[] = JSON.parse(stdout);
  const scraped = found.flatMap(({ labels }) =>
    labels.job ? [`${labels.job} ${labels.instance} ${labels.pod}`] : [],
  );
  t.same(scraped.sort(), [
    'cadre-api 10.0.0.1:3001 cadre-api-1',
    'cadre-worker 10.0.0.1:3001 cadre-worker-1',
  ]);
});

interface PodPorts {
  app: string;
  role: string;
  ports: { name: string; containerPort: string }[];
}

/** Labels and ports of long-running pods. */
function parsePods(): PodPorts[] {
  interface Workload {
    kind: string;
    spec: {
      template: {
        metadata: { labels: { app: string; role: string } };
        spec: { containers: [{ ports: PodPorts['ports'] }] };
      };
    };
  }
  return textOf('deploy/kubernetes/cadre.yaml')
    .split(/^---$/m)
    .map((part) => parseBlockYaml(part) as unknown as Workload)
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec: { template } }) => ({
      ...template.metadata.labels,
      ports: template.spec.containers[0].ports,
    }));
}
