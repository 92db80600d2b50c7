const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a text has the form of a UUID (RFC 9562) of any version, in upper or lower case. */
export const isUuid = (text: string): boolean => pattern.test(text);
