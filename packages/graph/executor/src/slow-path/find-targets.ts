import type { DataObject } from './data.ts';
import { isObject, property } from './data.ts';
import type { PathStep } from '../plan/plan.ts';
import type { ResponsePath } from '../result.ts';

/** Returns false when no more objects are needed. */
export type OnTarget = (object: DataObject) => boolean;

/** Visits the objects at a path of the data, in order. */
export function visitTargets(root: DataObject, path: readonly PathStep[], onTarget: OnTarget): void {
  visit(root, path, 0, onTarget, undefined);
}

/**
 * Finds where the objects at a path of the data are, by plan names. It is slower, and only errors and contexts need
 * it.
 *
 * @param max the number after which the search ends
 * @param wanted the objects in question. Default: all
 */
export function findTargetPaths(
  root: DataObject,
  path: readonly PathStep[],
  max: number,
  wanted?: ReadonlySet<DataObject>,
): ReadonlyMap<DataObject, ResponsePath> {
  const paths = new Map<DataObject, ResponsePath>();
  const trail: (string | number)[] = [];
  const keep: OnTarget = (object) => {
    if (wanted === undefined || wanted.has(object)) {
      paths.set(object, [...trail]);
    }
    return paths.size < max;
  };
  visit(root, path, 0, keep, trail);
  return paths;
}

/** The common place of all objects at a path of the data: the first list on the way or, without one, the object. */
export function commonPath(root: DataObject, path: readonly PathStep[]): ResponsePath {
  const common: string[] = [];
  let value: unknown = root;
  for (const { name } of path) {
    if (!isObject(value)) {
      break;
    }
    if (name !== '') {
      common.push(name);
      value = property(value, name);
    }
  }
  return common;
}

/** Returns false when no more objects are needed. */
function visit(
  value: unknown,
  path: readonly PathStep[],
  depth: number,
  onTarget: OnTarget,
  trail: (string | number)[] | undefined,
): boolean {
  if (Array.isArray(value)) {
    return value.every((item: unknown, index) => {
      trail?.push(index);
      const goesOn = visit(item, path, depth, onTarget, trail);
      trail?.pop();
      return goesOn;
    });
  }
  if (!isObject(value) || !isNarrowedTo(value, path[depth - 1]?.types)) {
    return true;
  }
  const step = path[depth];
  if (step === undefined) {
    return onTarget(value);
  }
  if (step.name === '') {
    return visit(value, path, depth + 1, onTarget, trail);
  }
  trail?.push(step.name);
  const goesOn = visit(property(value, step.name), path, depth + 1, onTarget, trail);
  trail?.pop();
  return goesOn;
}

function isNarrowedTo({ __typename }: DataObject, types: readonly string[] | undefined): boolean {
  return types === undefined || (typeof __typename === 'string' && types.includes(__typename));
}
