import type { RequestErrorCode } from '../../errors/error-codes.ts';
import type { OperationRules } from './operation-rules.ts';
import type { OperationSize } from '../../operation/operation-size.ts';

/** A limit that an operation exceeds, as a client reads it. */
export interface SizeFault {
  readonly code: RequestErrorCode;
  readonly message: string;
}

/**
 * The limits that reject an operation: with `warn_only`, the limit on introspection alone.
 *
 * Spec: Limits, `limits.max_depth`, `limits.max_aliases`, `limits.max_root_fields`.
 */
export function sizeRejections(size: OperationSize, rules: OperationRules): readonly SizeFault[] {
  return sizeFaults(size, rules).filter(
    ({ code }) => !rules.limits.warn_only || (size.isPureIntrospection && code === 'MAX_DEPTH_LIMIT'),
  );
}

/** Every limit that an operation exceeds. */
export function sizeFaults(size: OperationSize, { limits, meridian }: OperationRules): readonly SizeFault[] {
  const depthLimit = size.isPureIntrospection ? meridian.limits.introspection_max_depth : limits.max_depth;
  const rules = [
    { code: 'MAX_DEPTH_LIMIT', what: 'fields on one path', count: size.depth, limit: depthLimit },
    { code: 'MAX_ALIASES_LIMIT', what: 'aliases', count: size.aliases, limit: limits.max_aliases },
    {
      code: 'MAX_ROOT_FIELDS_LIMIT',
      what: 'root fields',
      count: size.rootFields,
      limit: limits.max_root_fields,
    },
    { code: 'MAX_HEIGHT_LIMIT', what: 'fields in all', count: size.height, limit: limits.max_height },
    {
      code: 'GRAPHQL_VALIDATION_FAILED',
      what: 'selections in all',
      count: size.selections,
      limit: limits.max_recursive_selections,
    },
  ] as const;
  return rules
    .filter(({ count, limit }) => limit !== undefined && count > limit)
    .map(({ code, limit, what }) => ({
      code,
      message: `The operation is over the limit of ${limit} ${what}`,
    }));
}
