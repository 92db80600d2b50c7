import { loadSettings } from '../../config/load-settings.js';
import { productionSettings } from '../../config/production-settings.js';
import t from '../support/t.js';
import { parseBlockYaml } from './block-yaml.js';
import { composeFile, envFile, interpolated, textOf } from './deployment.js';

/* What production needs is in every manifest, as a reference to a value that each installation chooses. */

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: string } };
}

const kubernetes = textOf('deploy/kubernetes/cadre.yaml');

/** The environment of the API's container. */
function apiVariables(): Variable[] {
  const manifests = kubernetes.split(/^---$/m).map((part) => parseBlockYaml(part)) as unknown as {
    kind: string;
    metadata: { name: string };
    spec: { template: { spec: { containers: { env: Variable[] }[] } } };
  }[];
  const api = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'cadre-api');
  return api?.spec.template.spec.containers[0]?.env ?? [];
}

t.test('the list has settings that a fresh installation lacks', async (t) => {
  t.equal(productionSettings.length, 3);
  const { secrets, http } = loadSettings({ env: {}, cwd: '/' });
  t.match(
    { key: secrets.key, publicUrl: http.publicUrl, trustedProxies: http.trustedProxies },
    {
      key: null,
      publicUrl: null,
      trustedProxies: [],
    },
  );
});

for (const { path, env } of productionSettings)
  t.test(`${path} is in every manifest, without a value of ours`, async (t) => {
    const compose = composeFile().services.api?.environment?.[env] ?? '';
    t.match(compose, /^\$\{[A-Z_]+:\?.{10,}\}$/, 'compose stops without it, and says what to do');
    t.throws(() => interpolated(compose, {}));
    const [, variable = ''] = /^\$\{([A-Z_]+)/.exec(compose) ?? [];
    t.ok(envFile(textOf('.env.example'))[variable], '.env.example has it');

    const found = apiVariables().find(({ name }) => name === env);
    // A pod does not start without a key of a secret that is not optional.
    t.same(found, { name: env, valueFrom: { secretKeyRef: { name: 'cadre', key: env } } }, 'Kubernetes');
    t.match(kubernetes.slice(0, kubernetes.indexOf('apiVersion')), `--from-literal=${env}=`);

    const row = new RegExp(`^\\| \`${path.replace('.', '\\.')}\` \\| \`${env}\` \\|`, 'm');
    t.match(textOf('docs/operating.md'), row, 'docs/operating.md says why');
  });

t.test('a key from .env.example that was not replaced stops the API', async (t) => {
  const { environment = {} } = composeFile().services.api ?? {};
  const { CADRE_SECRETS_KEY = '' } = environment as Record<string, string>;
  const given = interpolated(CADRE_SECRETS_KEY, envFile(textOf('.env.example')));
  t.throws(() => loadSettings({ env: { CADRE_SECRETS_KEY: given }, cwd: '/' }), /CADRE_SECRETS_KEY must be/);
});

t.test('nginx tells the APIs the address of the client', async (t) => {
  const nginx = textOf('deploy/nginx/cadre.conf');
  t.match(nginx, /proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;/);
  t.match(nginx, /CADRE_HTTP_TRUSTED_PROXIES/, 'and says that the APIs must trust it');
});
