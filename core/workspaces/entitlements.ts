import type { Features, Limits, Overrides } from '../ports/store/workspaces.js';

/** Plans are data (config/plans.json); a workspace may override parts of its plan. */
export interface Plan {
  name: string;
  limits: Limits;
  features: Features;
  /** Model slugs that AI settings may select; `*` allows all. */
  models: string[] | '*';
}

export interface Entitlements {
  limits: Limits;
  features: Features;
  models: string[] | '*';
}

/** What a workspace may do: its plan with its overrides. API access needs active billing, too. */
export function entitlements(plan: Plan, overrides: Overrides): Entitlements {
  const features = { ...plan.features, ...overrides.features };
  return {
    limits: { ...plan.limits, ...overrides.limits },
    features: { ...features, apiAccess: features.apiAccess && overrides.billingActive !== false },
    models: plan.models,
  };
}

export const allowsModel = (allowed: Entitlements['models'], model: string): boolean =>
  allowed === '*' || allowed.includes(model);
