/** Plans are data (config/plans.json); a workspace may override parts of its plan. */
export interface Plan {
  name: string;
  limits: { agents: number; storageBytes: number };
  features: Features;
  /** Model slugs that AI settings may select; `*` allows all. */
  models: string[] | '*';
}

export interface Features {
  apiAccess: boolean;
  autoRetrain: boolean;
  videoTranscription: boolean;
  removeBranding: boolean;
}

/** What an operator set on one workspace, beside its plan. */
export interface Overrides {
  limits?: Partial<Plan['limits']>;
  features?: Partial<Features>;
  billingActive?: boolean;
}

export interface Entitlements {
  limits: Plan['limits'];
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
