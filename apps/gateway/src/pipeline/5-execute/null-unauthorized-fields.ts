import type { ResponsePath } from '@meridian/executor';
import { parseJsonExactly } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';
import type { GraphQLOutputType } from 'graphql';
import { getNullableType, isListType, isNonNullType } from 'graphql';

import type { RunError, RunInterceptor, RunResult } from '../../operation/run.ts';
import type { UnauthorizedFields } from '../../operation/unauthorized-fields.ts';

/** The fields of an object by response name. */
type ResponseData = Readonly<Record<string, unknown>>;

/** A list may be long, with an unauthorized field in each item. */
const maxErrors = 1000;

/**
 * Puts null in the places of unauthorized fields, with an error for each. A null in a non-null place propagates to
 * its parent.
 *
 * Spec: Execution rules, rule 4.
 */
export const nullUnauthorizedFields: RunInterceptor = (run, next) => {
  const { unauthorized } = run.operation;
  return unauthorized === undefined
    ? next(run)
    : next(run).then((result) => withNullsAt(unauthorized, result));
};

function withNullsAt(fields: UnauthorizedFields, result: RunResult): RunResult {
  const root = parseJsonExactly(result.data);
  if (!isRecord(root)) {
    return result;
  }
  const errors: RunError[] = [];

  const completeObject = (
    object: ResponseData,
    { unauthorized, below }: UnauthorizedFields,
    path: ResponsePath,
  ): ResponseData | null => {
    let isNull = false;
    const entries = Object.entries(object).map(([key, value]): [string, unknown] => {
      const field = unauthorized.get(key);
      if (field !== undefined) {
        if (errors.length < maxErrors) {
          const { responseName, requirement } = field;
          errors.push({ kind: 'unauthorized', path: [...path, responseName], requirement });
        } else if (errors.length === maxErrors) {
          errors.push({ kind: 'omitted' });
        }
        isNull ||= field.isNonNull;
        return [field.responseName, null];
      }
      const next = below.get(key);
      if (next === undefined) {
        return [key, value];
      }
      const completed = completeValue(value, next.type, next.fields, [...path, key]);
      isNull ||= completed === null && isNonNullType(next.type);
      return [key, completed];
    });
    return isNull ? null : Object.fromEntries(entries);
  };

  const completeValue = (
    value: unknown,
    type: GraphQLOutputType,
    below: UnauthorizedFields,
    path: ResponsePath,
  ): unknown => {
    const nullable = getNullableType(type);
    if (isListType(nullable) && Array.isArray(value)) {
      const items = value.map((item: unknown, index) =>
        completeValue(item, nullable.ofType, below, [...path, index]),
      );
      return isNonNullType(nullable.ofType) && items.includes(null) ? null : items;
    }
    return isRecord(value) ? completeObject(value, below, path) : value;
  };

  const data = JSON.stringify(completeObject(root, fields, []));
  return { ...result, data, errors: [...result.errors, ...errors] };
}
