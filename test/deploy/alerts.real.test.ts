import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { programMissing } from '../support/tools.js';
import { alertCases } from './alert-cases.js';
import { parseBlockYaml } from './block-yaml.js';
import { textOf } from './deployment.js';

const rulesFile = fileURLToPath(projectFile('deploy/prometheus/alerts.yml'));
const { groups } = parseBlockYaml(textOf('deploy/prometheus/alerts.yml')) as unknown as {
  groups: { rules: { alert: string }[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
const skip = programMissing('promtool', '--version', 'prometheus');

t.test('every alert has a case in which it fires and one in which it does not', async (t) => {
  t.same(Object.keys(alertCases), alerts);
  for (const [alert, { quiet }] of Object.entries(alertCases)) t.ok(quiet.length > 0, alert);
});

for (const [alert, { fires, quiet }] of Object.entries(alertCases))
  t.test(`promtool: ${alert} fires when it should`, { skip }, async (t) => {
    const expression = `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
    const cases = [{ series: fires, samples: [{ labels: '{}', value: 1 }] }].concat(
      quiet.map((series) => ({ series, samples: [] })),
    );
    const file = join(tempFolder(t), 'cases.yml');
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [rulesFile],
        evaluation_interval: '1m',
        tests: cases.map(({ series, samples }) => ({
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          promql_expr_test: [{ expr: expression, eval_time: '30m', exp_samples: samples }],
        })),
      }),
    );
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    t.equal(status, 0, stdout + stderr);
  });
