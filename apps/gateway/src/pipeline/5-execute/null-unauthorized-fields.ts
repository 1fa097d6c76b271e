import type { DeferredFragment, ResponsePath } from '@meridian/executor';
import { parseJsonExactly } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';
import type { GraphQLOutputType } from 'graphql';
import { getNullableType, isListType, isNonNullType } from 'graphql';

import type { AdmittedOperation } from '../../operation/admitted-operation.ts';
import type {
  RunBatch,
  RunError,
  RunFragment,
  RunInterceptor,
  RunParts,
  RunResult,
} from '../../operation/run.ts';
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

/** The result of one event, for a caller who may see a part of its operation. */
export function withUnauthorizedNulls({ unauthorized }: AdmittedOperation, result: RunResult): RunResult {
  return unauthorized === undefined ? result : withNullsAt(unauthorized, result);
}

function withNullsAt(fields: UnauthorizedFields, result: RunResult): RunResult {
  const root = parseJsonExactly(result.data);
  if (!isRecord(root)) {
    return result;
  }
  const errors = new BoundedErrors();
  const completed = completeObject(root, fields, [], errors);
  const { deferred } = result;
  return {
    ...result,
    data: JSON.stringify(completed),
    errors: [...result.errors, ...errors.all],
    deferred: deferred && partsWithNulls(fields, deferred, completed),
  };
}

/**
 * The parts that follow, with nulls too. A part of an object that became null, because one of its own fields or one of
 * another part is null and may not be, has no place any more: it is left out.
 */
function partsWithNulls(fields: UnauthorizedFields, { pending, batches }: RunParts, root: unknown): RunParts {
  const dropped = new Set<DeferredFragment>();
  const kept = (
    fragments: readonly DeferredFragment[],
    data: unknown,
    from: ResponsePath,
  ): readonly DeferredFragment[] =>
    fragments.filter((fragment) => {
      const { path } = fragment;
      const isBelow = from.every((key, index) => path[index] === key);
      const isThere = !isBelow || isObjectAt(data, path.slice(from.length));
      if (!isThere) {
        dropped.add(fragment);
      }
      return isThere;
    });
  const completedPart = (part: RunFragment): { readonly part: RunFragment; readonly object: unknown } => {
    const { path } = part.fragment;
    const object = parseJsonExactly(part.data);
    const own = placeAt(fields, path);
    if (own === undefined || !isRecord(object)) {
      return { part, object };
    }
    const errors = new BoundedErrors();
    const completed = completeObject(object, own, path, errors);
    // Nothing that was delivered is taken back: the part is null instead.
    const nulled = takesBack(object, completed, valueAt(root, path)) ? null : completed;
    const { fragment } = part;
    return {
      part: { fragment, data: JSON.stringify(nulled), errors: [...part.errors, ...errors.all] },
      object: nulled,
    };
  };

  async function* completedBatches(): AsyncGenerator<RunBatch, void, void> {
    for await (const batch of batches) {
      let announced = batch.pending;
      const completed: RunFragment[] = [];
      for (const part of batch.completed) {
        const { fragment } = part;
        if (dropped.has(fragment)) {
          announced = kept(announced, null, fragment.path);
        } else {
          const { part: shown, object } = completedPart(part);
          announced = kept(announced, object, fragment.path);
          completed.push(shown);
        }
      }
      yield { completed, pending: announced };
    }
  }
  const rest = completedBatches();
  return {
    pending: kept(pending, root, []),
    batches: {
      [Symbol.asyncIterator]: () => ({
        next: () => rest.next(),
        // A generator that has not begun, or that waits, would not pass it on.
        async return() {
          await batches[Symbol.asyncIterator]().return?.();
          return await rest.return();
        },
      }),
    },
  };
}

/** The unauthorized fields of the object at a path; undefined where it has none at or below it. */
function placeAt(root: UnauthorizedFields, path: ResponsePath): UnauthorizedFields | undefined {
  return path
    .filter((key) => typeof key === 'string')
    .reduce<UnauthorizedFields | undefined>((place, key) => place?.below.get(key)?.fields, root);
}

/** True where a null in a part replaces an object or a list that the first result has. */
function takesBack(before: unknown, after: unknown, delivered: unknown): boolean {
  if (!isObjectOrList(before) || !isObjectOrList(delivered)) {
    return false;
  }
  return (
    !isObjectOrList(after) ||
    Object.entries(before).some(([key, value]) =>
      takesBack(value, Reflect.get(after, key), Reflect.get(delivered, key)),
    )
  );
}

function valueAt(data: unknown, path: ResponsePath): unknown {
  return path.reduce((value, key) => (isObjectOrList(value) ? Reflect.get(value, key) : undefined), data);
}

function isObjectOrList(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** True where data has an object at a path, or what is on the way to it comes in another part. */
function isObjectAt(data: unknown, path: ResponsePath): boolean {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) {
      return false;
    }
    if (!Object.hasOwn(value, key)) {
      return true;
    }
    value = Reflect.get(value, key);
  }
  return isRecord(value);
}

/** The errors of unauthorized fields, up to a limit. */
class BoundedErrors {
  readonly all: RunError[] = [];

  add(path: ResponsePath, requirement: string): void {
    if (this.all.length < maxErrors) {
      this.all.push({ kind: 'unauthorized', path, requirement });
    } else if (this.all.length === maxErrors) {
      this.all.push({ kind: 'omitted' });
    }
  }
}

function completeObject(
  object: ResponseData,
  { unauthorized, below }: UnauthorizedFields,
  path: ResponsePath,
  errors: BoundedErrors,
): ResponseData | null {
  let isNull = false;
  const entries = Object.entries(object).map(([key, value]): [string, unknown] => {
    const field = unauthorized.get(key);
    if (field !== undefined) {
      errors.add([...path, field.responseName], field.requirement);
      isNull ||= field.isNonNull && !field.isShown;
      return [field.responseName, field.isShown ? value : null];
    }
    const next = below.get(key);
    if (next === undefined) {
      return [key, value];
    }
    const completed = completeValue(value, next, [...path, key], errors);
    isNull ||= completed === null && isNonNullType(next.type);
    return [key, completed];
  });
  return isNull ? null : Object.fromEntries(entries);
}

function completeValue(
  value: unknown,
  { type, fields }: { readonly type: GraphQLOutputType; readonly fields: UnauthorizedFields },
  path: ResponsePath,
  errors: BoundedErrors,
): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value)) {
    const items = value.map((item: unknown, index) =>
      completeValue(item, { type: nullable.ofType, fields }, [...path, index], errors),
    );
    return isNonNullType(nullable.ofType) && items.includes(null) ? null : items;
  }
  return isRecord(value) ? completeObject(value, fields, path, errors) : value;
}
