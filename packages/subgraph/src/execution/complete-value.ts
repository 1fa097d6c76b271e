// Spec: GraphQL, "Value Completion".
import { inspect } from 'node:util';

import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isLeafType,
  isListType,
  isNonNullType,
  locatedError,
} from 'graphql';
import type { GraphQLLeafType, GraphQLOutputType, FieldNode } from 'graphql';

import type { Complete, Path, Run } from './compiled.ts';
import { isPromise, rejectAfter } from './promises.ts';
import { stepsOf } from './run-fields.ts';

/** The field whose values are completed, for what is said of one that fails. */
export interface FieldPlace {
  /** `Type.field`. */
  readonly name: string;
  readonly nodes: readonly FieldNode[];
}

/**
 * Compiles how the values of a field are completed.
 *
 * @param completeObject completes what is neither null nor a list nor a leaf
 */
export function compileCompletion(
  type: GraphQLOutputType,
  place: FieldPlace,
  completeObject: Complete,
): Complete {
  if (isNonNullType(type)) {
    return refuseNull(compileCompletion(type.ofType, place, completeObject), place);
  }
  const complete = isListType(type)
    ? compileList(type.ofType, place, completeObject)
    : isLeafType(type)
      ? compileLeaf(type)
      : completeObject;
  return (value, run, above, key) => {
    if (value === null || value === undefined) {
      return null;
    }
    if (value instanceof Error) {
      throw value;
    }
    return complete(value, run, above, key);
  };
}

function refuseNull(complete: Complete, { name }: FieldPlace): Complete {
  return (value, run, above, key) => {
    const completed = complete(value, run, above, key);
    if (completed === null) {
      throw new Error(`Cannot return null for non-nullable field ${name}.`);
    }
    return completed;
  };
}

function compileLeaf(type: GraphQLLeafType): Complete {
  const isReady = readyValues.get(type) ?? (() => false);
  return (value) => {
    if (isReady(value)) {
      return value;
    }
    const serialized: unknown = type.serialize(value);
    if (serialized === null || serialized === undefined) {
      throw new Error(
        `Expected \`${type.name}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
      );
    }
    return serialized;
  };
}

const isString = (value: unknown) => typeof value === 'string';

/** What the built-in scalars would only pass on. */
const readyValues = new Map<GraphQLLeafType, (value: unknown) => boolean>([
  [GraphQLID, isString],
  [GraphQLString, isString],
  [GraphQLInt, (value) => typeof value === 'number' && value === (value | 0)],
  [GraphQLFloat, Number.isFinite],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
]);

function compileList(itemType: GraphQLOutputType, place: FieldPlace, completeObject: Complete): Complete {
  const completeItem = compileCompletion(itemType, place, completeObject);
  const isNullable = !isNonNullType(itemType);

  /** As a field that fails: null with an error in the answer, or the error. */
  const fail = (error: unknown, run: Run, list: Path, index: number): null => {
    const located = locatedError(error, place.nodes, stepsOf({ above: list, key: index }));
    if (!isNullable) {
      throw located;
    }
    run.errors.push(located);
    return null;
  };
  const runItem = (item: unknown, run: Run, list: Path, index: number): unknown => {
    try {
      const completed = isPromise(item)
        ? item.then((resolved) => completeItem(resolved, run, list, index))
        : completeItem(item, run, list, index);
      return isPromise(completed)
        ? completed.catch((error: unknown) => fail(error, run, list, index))
        : completed;
    } catch (error) {
      return fail(error, run, list, index);
    }
  };

  return (value, run, above, key) => {
    if (!isIterableObject(value)) {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${place.name}".`);
    }
    const list = { above, key };
    const completed: unknown[] = [];
    let isPending = false;
    try {
      for (const item of value) {
        const shown = runItem(item, run, list, completed.length);
        isPending ||= isPromise(shown);
        completed.push(shown);
      }
    } catch (error) {
      if (!isPending) {
        throw error;
      }
      return rejectAfter(completed, error);
    }
    return isPending ? Promise.all(completed) : completed;
  };
}

function isIterableObject(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
