import type { RequestErrorCode } from '../../errors/error-codes.ts';
import { requestError } from '../../errors/request-error.ts';
import type { OperationRules } from './operation-rules.ts';
import type { OperationSize } from '../../operation/operation-size.ts';

/**
 * Rejects an operation that exceeds a limit.
 *
 * Spec: Limits, `limits.max_depth`, `limits.max_aliases`, `limits.max_root_fields`.
 *
 * @throws {RequestError} MAX_DEPTH_LIMIT, MAX_HEIGHT_LIMIT, MAX_ALIASES_LIMIT or MAX_ROOT_FIELDS_LIMIT
 */
export function checkSize(size: OperationSize, rules: OperationRules): void {
  const [fault] = sizeFaults(size, rules);
  if (fault !== undefined) {
    throw requestError(fault.code, fault.message);
  }
}

/** True when an operation exceeds a limit. */
export function isOverSize(size: OperationSize, rules: OperationRules): boolean {
  return sizeFaults(size, rules).length > 0;
}

/** Every limit that an operation exceeds, as a client reads it. */
export function sizeFaults(
  size: OperationSize,
  { limits, meridian }: OperationRules,
): readonly { readonly code: RequestErrorCode; readonly message: string }[] {
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
  ] as const;
  return rules
    .filter(({ count, limit }) => limit !== undefined && count > limit)
    .map(({ code, limit, what }) => ({
      code,
      message: `The operation is over the limit of ${limit} ${what}`,
    }));
}
