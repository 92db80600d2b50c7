import { dirname, resolve } from 'node:path';
import { kindNames, pluginKinds } from '../core/ports/plugin.port.js';
import { nested } from './check-settings.js';
import { ConfigError } from './config-error.js';
import { deepFreeze } from './deep-freeze.js';
import { environmentLayer, type Launch } from './environment.js';
import { installedFile } from './installation.js';
import { fileLayer, type Layer } from './layer.js';
import { databaseName, misspelling, queueName, storageName } from './misspelt-names.js';
import { choosePlugin, type PluginSetting } from './plugin-choice.js';
import type { Settings } from './settings.schema.js';

function configLayer({ env, cwd }: Launch): Layer {
  if (!env.CONFIG_FILE) return { settings: new Map(), problems: [] };
  return fileLayer(resolve(cwd, env.CONFIG_FILE), `${env.CONFIG_FILE} (CONFIG_FILE)`);
}

/**
 * Returns the base of relative plugin paths: the folder of CONFIG_FILE, or the working directory if it is not set.
 */
export const pluginBaseDir = ({ env, cwd }: Launch): string =>
  env.CONFIG_FILE ? dirname(resolve(cwd, env.CONFIG_FILE)) : cwd;

const unreachableQueue = (rolesSource: string): string =>
  `${rolesSource}: a separate worker cannot reach the local queue, which is inside the API process. ` +
  'Set AMQP_URL (or plugins.queue.use) here and in the API process, or give one process both roles (ROLES=api,worker)';

/**
 * Loads the settings: defaults, then CONFIG_FILE, then the environment. `workerHost` means that the API started this
 * process as its worker, so that the local queue can reach it. Throws a ConfigError with the problems of all sources.
 */
export function loadSettings({ workerHost = false, ...launch }: Launch & { workerHost?: boolean }): Settings {
  const defaults = fileLayer(installedFile('config/default.json'), 'config/default.json', { complete: true });
  if (defaults.problems.length > 0) throw new ConfigError(defaults.problems);

  const layers = [defaults, configLayer(launch), environmentLayer(launch)];
  const problems = layers.flatMap((layer) => layer.problems);
  const merged = new Map(layers.flatMap((layer) => [...layer.settings]));
  const sourceOf = (path: string): string => merged.get(path)?.source ?? path;
  // The type is that of the schema, because the defaults are complete and every value is validated.
  const settings = structuredClone(
    nested(new Map([...merged].map(([path, { value }]) => [path, value]))),
  ) as unknown as Settings;

  for (const kind of kindNames) {
    const setting: PluginSetting = settings.plugins[kind];
    const choice = choosePlugin(kind, setting, launch, sourceOf(`plugins.${kind}.options`));
    problems.push(...choice.problems);
    settings.plugins[kind] = { use: choice.use, options: choice.options };
  }
  if (settings.mail.url !== null && settings.mail.from === null)
    problems.push(`${sourceOf('mail.url')} needs a sender: set mail.from (CADRE_MAIL_FROM)`);
  if (!settings.signIn.password && settings.signIn.oidc.issuer === null)
    problems.push(`${sourceOf('signIn.password')} false needs a provider: set signIn.oidc.issuer`);
  const { createMembers, allowedEmailDomains } = settings.signIn.oidc;
  if (createMembers.workspaceId !== null && allowedEmailDomains.length === 0)
    problems.push(
      `${sourceOf('signIn.oidc.createMembers.workspaceId')} needs signIn.oidc.allowedEmailDomains (CADRE_SIGN_IN_OIDC_ALLOWED_EMAIL_DOMAINS): otherwise everybody whom the provider knows becomes a member`,
    );
  if (settings.signIn.oidc.issuer !== null && settings.signIn.oidc.clientId === null)
    problems.push(
      `${sourceOf('signIn.oidc.issuer')} needs signIn.oidc.clientId (CADRE_SIGN_IN_OIDC_CLIENT_ID)`,
    );
  const isQueueLocal = settings.plugins.queue.use === pluginKinds.queue.standard && !workerHost;
  if (!settings.roles.includes('api') && isQueueLocal) problems.push(unreachableQueue(sourceOf('roles')));
  const fallbacks = [
    ...(settings.roles.includes('api') && settings.database.url === null ? [databaseName] : []),
    ...(isQueueLocal ? [queueName] : []),
    ...(settings.plugins.storage.use === pluginKinds.storage.standard ? [storageName] : []),
  ];
  problems.push(...fallbacks.flatMap((meant) => misspelling(launch.env, meant) ?? []));
  settings.dataDir = resolve(launch.cwd, settings.dataDir);
  if (settings.mail.passwordFile !== null)
    settings.mail.passwordFile = resolve(launch.cwd, settings.mail.passwordFile);
  const { oidc } = settings.signIn;
  if (oidc.clientSecretFile !== null) oidc.clientSecretFile = resolve(launch.cwd, oidc.clientSecretFile);

  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(settings);
}
