import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { describedMetrics } from '../../docs/references/metrics.js';
import { projectFile } from '../support/project-folder.js';
import { parseBlockYaml } from './block-yaml.js';
import { composeFile, textOf } from './deployment.js';

const described = Object.values(describedMetrics()).flat();
const known = new Map(described.map(({ name, labels }) => [name, labels]));
/** Of Prometheus itself, and of Node and the process. */
const given = ['up', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'];
/** Words of the query language. */
const functions =
  /\b(sum|min|max|rate|increase|changes|histogram_quantile|by|and|or|unless|offset|le|__rate_interval)\b/g;

/** Metrics that an expression names, without what a histogram adds to its name. */
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

t.test('every alert asks for metrics that there are, and has a runbook', async (t) => {
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

t.test('every panel of the dashboard asks for metrics and labels that there are', async (t) => {
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
