/** Short fields that Node.js, drivers and service clients add to errors. */
const FACTS = ['code', 'errno', 'syscall', 'address', 'port', 'path', 'status', 'statusCode', 'sqlState'];
const MOST_CAUSES = 8;

/** Fields of a thrown object, which may be any value. `parent` is the cause in Sequelize. */
type Thrown = Partial<Record<'name' | 'message' | 'stack' | 'errors' | 'cause' | 'parent', unknown>>;

const isThrown = (value: unknown): value is Thrown => typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const typeOf = (error: Thrown): string | undefined => [error.constructor?.name, error.name].find(isText);

const messageOf = (chain: Thrown[]): string =>
  [...new Set(chain.map(({ message }) => message))].filter(isText).join(': ');

/** Returns the error and its causes. */
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

export const stackOf = (error: Thrown): string =>
  [...new Set(chainOf(error).map(({ stack }) => stack))].filter(isText).join('\ncaused by: ');

/**
 * Returns the fields of an error for the log: type, message, stack and short facts, including those of its causes;
 * and type, message and facts of aggregated errors. Other properties are dropped, because libraries attach requests
 * with keys and values of statements.
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
