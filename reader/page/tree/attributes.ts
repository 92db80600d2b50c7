/** Attributes by lower-case name; '' for one without a value. The first of equal names counts. */
export type Attributes = Readonly<Record<string, string>>;
