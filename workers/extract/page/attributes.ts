/** Attributes of an element by lower-case name; '' where one has no value, and of equal names the first counts. */
export type Attributes = Readonly<Record<string, string>>;
