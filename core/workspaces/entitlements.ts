import type { Features, Limits, Overrides } from '../ports/store/workspaces.js';

/** A plan of config/plans.json. A workspace may override parts of its plan. */
export interface Plan {
  name: string;
  limits: Limits;
  features: Features;
  /** Model slugs that AI settings may select. `*` allows all. */
  models: string[] | '*';
}

export interface Entitlements {
  limits: Limits;
  features: Features;
  models: string[] | '*';
}

/** Applies the overrides of a workspace to its plan. Without active billing, API keys and visitors have no access. */
export function entitlements(plan: Plan, overrides: Overrides): Entitlements {
  const isPaid = overrides.billingActive !== false;
  const features = { ...plan.features, ...overrides.features };
  const limits = { ...plan.limits, ...overrides.limits };
  return {
    limits: { ...limits, visitorMessagesPerDay: isPaid ? limits.visitorMessagesPerDay : 0 },
    features: { ...features, apiAccess: isPaid && features.apiAccess },
    models: plan.models,
  };
}

/** Applies to a workspace whose plan was removed from the configuration: it keeps its data but has no API access. */
const NO_PLAN: Plan = {
  name: 'none',
  limits: {
    agents: 0,
    members: 0,
    storageBytes: 0,
    visitorMessagesPerDay: 0,
    visitorStorageBytes: 0,
    sitePages: 0,
  },
  features: { apiAccess: false, autoRetrain: false, videoTranscription: false, removeBranding: false },
  models: [],
};

export const entitlementsUnder =
  (plans: ReadonlyMap<string, Plan>) =>
  ({ plan, overrides }: { plan: string; overrides: Overrides }): Entitlements =>
    entitlements(plans.get(plan) ?? NO_PLAN, overrides);

export const allowsModel = (allowed: Entitlements['models'], model: string): boolean =>
  allowed === '*' || allowed.includes(model);
