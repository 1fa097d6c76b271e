import type { HeaderOperation } from '@meridian/router-config';

/**
 * True when no rule of a subgraph concerns the field Authorization: our own subgraphs answer 401 then. A rule that
 * removes the field shows that this is intended.
 */
export function lacksAuthorization(operations: readonly HeaderOperation[]): boolean {
  return !operations.some(isAboutAuthorization);
}

function isAboutAuthorization({ propagate, insert, remove }: HeaderOperation): boolean {
  const names = [propagate?.rename ?? propagate?.named, insert?.name, remove?.named];
  return (
    names.some((name) => name?.toLowerCase() === 'authorization') ||
    [propagate?.matching, remove?.matching].some((pattern) => pattern?.test('authorization') === true)
  );
}
