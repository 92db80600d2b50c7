const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID (RFC 9562), in either case and of any version. */
export const isUuid = (text: string): boolean => pattern.test(text);
