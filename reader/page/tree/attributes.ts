/**
 * Attributes by lower-case name; '' for an attribute without a value. If a name occurs several times, the first counts.
 */
export type Attributes = Readonly<Record<string, string>>;
