import type { ExecutionError, ResponsePath } from '../result.ts';

/** The violations that no other error accounts for: one in the same place, above it or below it. */
export function unexplained(
  violations: readonly ExecutionError[],
  errors: readonly ExecutionError[],
): readonly ExecutionError[] {
  if (violations.length === 0 || errors.length === 0) {
    return violations;
  }
  const paths = new Set(errors.flatMap(({ path }) => (path === undefined ? [] : [JSON.stringify(path)])));
  const above = new Set(errors.flatMap(({ path }) => prefixesOf(path ?? [])));
  return violations.filter(
    ({ path = [] }) =>
      !above.has(JSON.stringify(path)) && !prefixesOf(path).some((prefix) => paths.has(prefix)),
  );
}

function prefixesOf(path: ResponsePath): readonly string[] {
  return path.map((_key, index) => JSON.stringify(path.slice(0, index + 1)));
}
