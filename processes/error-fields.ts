/** Short facts that Node, drivers and clients of services put on their errors. */
const FACTS = ['code', 'errno', 'syscall', 'address', 'port', 'path', 'status', 'statusCode', 'sqlState'];
const MOST_CAUSES = 8;

/** Read with care: whatever was thrown may be here. `parent` is what Sequelize calls a cause. */
type Thrown = Partial<Record<'name' | 'message' | 'stack' | 'errors' | 'cause' | 'parent', unknown>>;

const isThrown = (value: unknown): value is Thrown => typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const typeOf = (error: Thrown): string | undefined => [error.constructor?.name, error.name].find(isText);

const messageOf = (chain: Thrown[]): string =>
  [...new Set(chain.map(({ message }) => message))].filter(isText).join(': ');

/** The error, its cause, and so on. */
function chainOf(error: Thrown): Thrown[] {
  const chain = new Set<Thrown>();
  for (
    let next: unknown = error;
    isThrown(next) && chain.size < MOST_CAUSES;
    next = next.cause ?? next.parent
  ) {
    if (chain.has(next)) break;
    chain.add(next);
  }
  return [...chain];
}

const factsOf = (error: Thrown): object =>
  Object.fromEntries(
    Object.entries(error).filter(
      ([name, value]) => FACTS.includes(name) && (typeof value === 'number' || isText(value)),
    ),
  );

/** The stack of an error, and those of its causes. */
export const stackOf = (error: Thrown): string =>
  [...new Set(chainOf(error).map(({ stack }) => stack))].filter(isText).join('\ncaused by: ');

/**
 * What a log line says of an error: its type, and message, stack and short facts with those of its causes; of the
 * failures that it unites, type, message and facts. Libraries hang whole requests with their keys, and the values of
 * statements, onto errors: none of that is logged.
 */
export function errorFields(error: unknown): unknown {
  if (!isThrown(error)) return error;
  const chain = chainOf(error);
  const united = chain.map(({ errors }) => errors).find((errors) => Array.isArray(errors));
  const one = (each: unknown): unknown =>
    isThrown(each) ? { type: typeOf(each), message: messageOf([each]), ...factsOf(each) } : each;
  return {
    type: typeOf(error),
    message: messageOf(chain),
    stack: stackOf(error),
    ...Object.assign({}, ...chain.map(factsOf).reverse()),
    ...(united ? { errors: united.map(one) } : {}),
  };
}
