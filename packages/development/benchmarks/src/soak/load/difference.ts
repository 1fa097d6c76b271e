/**
 * The expected response: a value, or a predicate if the value is not known exactly. Objects have exactly these members.
 */
export type Expected =
  | string
  | number
  | boolean
  | null
  | ((actual: unknown) => boolean)
  | readonly Expected[]
  | { readonly [member: string]: Expected };

export interface DifferenceOptions {
  /** True if anything may be null, as in a partial response. Other values must still be correct. */
  readonly nullsAllowed: boolean;
}

/**
 * Describes the first difference between a response and its expectation; undefined without one. Ignores `__typename`.
 */
export function difference(
  expected: Expected,
  actual: unknown,
  options: DifferenceOptions,
  path = 'data',
): string | undefined {
  if (actual === null && options.nullsAllowed) {
    return undefined;
  }
  if (typeof expected === 'function') {
    return expected(actual) ? undefined : `${path} is ${shown(actual)}`;
  }
  if (isList(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      return `${path} is not a list of ${expected.length}: ${shown(actual)}`;
    }
    return firstOf(expected, (item, index) => difference(item, actual[index], options, `${path}[${index}]`));
  }
  if (typeof expected === 'object' && expected !== null) {
    const members = membersOf(actual);
    if (members === undefined) {
      return `${path} is not an object: ${shown(actual)}`;
    }
    const surplus = [...members.keys()].find((name) => !(name in expected));
    return surplus === undefined
      ? firstOf(Object.entries(expected), ([name, value]) =>
          difference(value, members.get(name), options, `${path}.${name}`),
        )
      : `${path} has ${surplus}, which was not requested`;
  }
  return Object.is(expected, actual)
    ? undefined
    : `${path} is ${shown(actual)} instead of ${shown(expected)}`;
}

const isList = (expected: Expected): expected is readonly Expected[] => Array.isArray(expected);

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function membersOf(actual: unknown): Map<string, unknown> | undefined {
  return typeof actual === 'object' && actual !== null && !Array.isArray(actual)
    ? new Map(Object.entries(actual).filter(([name]) => name !== '__typename'))
    : undefined;
}

/** Short enough for a line. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
