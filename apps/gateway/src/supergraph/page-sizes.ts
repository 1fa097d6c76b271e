import type { Supergraph } from '@meridian/executor';

import { readerOf } from './applied-directives.ts';
import { declarationsOf } from './field-declarations.ts';

/** The largest page that an argument takes; undefined for an argument that is not for paging. */
export type PageSizes = (parentName: string, fieldName: string, argument: string) => number | undefined;

/**
 * Reads `@pageSize(max:)`: the argument takes 0 to `max`.
 *
 * Spec: Limits, rule 1.
 */
export function pageSizes(supergraph: Supergraph): PageSizes {
  const pageSize = readerOf(supergraph, { feature: 'pageSize', directive: 'pageSize' });
  return (parentName, fieldName, argument) => {
    const bounds = declarationsOf(supergraph.schema, parentName, fieldName)
      .flatMap(({ field }) => field.args.filter(({ name }) => name === argument))
      .flatMap(pageSize)
      .map(({ max }) => Number(max));
    return bounds.length === 0 ? undefined : Math.min(...bounds);
  };
}
