import { ExactNumber } from '@meridian/json';
import type { ValueNode } from 'graphql';
import { Kind } from 'graphql';

import { requestError } from '../../errors/request-error.ts';
import type { PageSizeCheck } from '../../operation/compiled-operation.ts';
import type { Variables } from '../../operation/admitted-operation.ts';

/**
 * Rejects a page size that is negative or larger than its field allows. An argument that is null or absent
 * leaves the size to the subgraph, and is not checked.
 *
 * Spec: Limits, rule 1.
 *
 * @throws {RequestError} PAGE_SIZE_LIMIT
 */
export function checkPageSizes(checks: readonly PageSizeCheck[], variables: Variables): void {
  for (const { argument, value, max } of checks) {
    const size = pageSizeOf(value, variables);
    if (size !== undefined && !(size >= 0 && size <= max)) {
      throw requestError('PAGE_SIZE_LIMIT', `\`${argument}\` takes 0 to ${max}`);
    }
  }
}

/** The size that an argument asks for; undefined where it leaves the size to the subgraph. */
export function pageSizeOf(value: ValueNode, variables: Variables): number | undefined {
  if (value.kind === Kind.INT) {
    return Number(value.value);
  }
  const held = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof held === 'number' || held instanceof ExactNumber ? Number(held) : undefined;
}
