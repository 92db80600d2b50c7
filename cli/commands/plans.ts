import type { Command } from 'commander';
import { loadPlans } from '../../config/load-plans.js';
import type { Plan } from '../../core/workspaces/entitlements.js';
import { configured } from '../installation.js';
import type { Speak } from '../speak.js';
import { textTable } from '../text-table.js';

const present = ({ name, limits, features, models }: Plan) => ({ name, limits, features, models });

const planLine = ({ name, limits, features, models }: Plan) => ({
  plan: name,
  agents: limits.agents,
  storageBytes: limits.storageBytes,
  visitorMessagesPerDay: limits.visitorMessagesPerDay,
  visitorStorageBytes: limits.visitorStorageBytes,
  sitePages: limits.sitePages,
  features: Object.entries(features)
    .flatMap(([feature, has]) => (has ? [feature] : []))
    .join(', '),
  models: models === '*' ? 'all' : models.length,
});

export function addTo(program: Command, speak: Speak): void {
  const plans = program.command('plans').description('plans: what a workspace may have and use');

  plans
    .command('list')
    .description('list the plans of config/plans.json with their limits, features and models')
    .addHelpText('after', '\nExample: plans list --json')
    .action((_options: object, command: Command) =>
      speak(command, async (out) => {
        const known = [...configured(() => loadPlans()).values()];
        out.result(known.map(present), () => textTable(known.map(planLine)));
      }),
    );
}
