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

/** For a workspace on a plan that was taken out of the configuration: it keeps its data and may do nothing. */
const NO_PLAN: Plan = {
  name: 'none',
  limits: { agents: 0, storageBytes: 0 },
  features: { apiAccess: false, autoRetrain: false, videoTranscription: false, removeBranding: false },
  models: [],
};

/** What a workspace may do under these plans. */
export const entitlementsUnder =
  (plans: ReadonlyMap<string, Plan>) =>
  ({ plan, overrides }: { plan: string; overrides: Overrides }): Entitlements =>
    entitlements(plans.get(plan) ?? NO_PLAN, overrides);

export const allowsModel = (allowed: Entitlements['models'], model: string): boolean =>
  allowed === '*' || allowed.includes(model);
