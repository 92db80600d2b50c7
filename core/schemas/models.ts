/** Model slugs that AI settings accept. The plan of a workspace lists the models that it may select. */
export const currentModels = [
  'vendorA/familyA-6-astra',
  'vendorA/familyA-6-sol',
  'vendorA/familyA-6-luna',
  'vendorA/familyA-5.6-sol',
  'vendorA/familyA-5.6-terra',
  'vendorB/familyB-fable-5.1',
  'vendorB/familyB-opus-5.5',
  'vendorB/familyB-opus-5',
  'vendorB/familyB-sonnet-5',
  'vendorB/familyB-haiku-4-5',
  'vendorC/familyC-3.7-flash',
  'vendorC/familyC-3.1-pro-preview',
] as const;

/** No longer offered, but accepted, so that clients can write back the settings that they have read. */
const legacyModels = [
  'vendorA/familyA-5.5',
  'vendorA/familyA-5.4',
  'vendorA/familyA-5.4-mini',
  'vendorA/familyA-5.4-nano',
  'vendorB/familyB-opus-4.7',
  'vendorB/familyB-opus-4-6',
  'vendorB/familyB-sonnet-4-6',
  'vendorC/familyC-3-flash-preview',
  'vendorC/familyC-3.6-flash',
] as const;

export const models = [...currentModels, ...legacyModels] as const;

export const instructionsPresets = [
  'custom',
  'ai-chatbot',
  'customer-support',
  'sales-agent',
  'language-tutor',
  'coding-expert',
  'life-coach',
] as const;
