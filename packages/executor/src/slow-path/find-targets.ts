import type { DataObject } from './data.ts';
import { isObject, property } from './data.ts';
import type { PathStep } from '../plan/plan.ts';
import type { ResponsePath } from '../result.ts';

/** Finds the objects at a path of the data, in order. */
export function findTargets(root: DataObject, path: readonly PathStep[]): readonly DataObject[] {
  const targets: DataObject[] = [];
  visitTargets(root, path, 0, (object) => void targets.push(object), undefined);
  return targets;
}

/**
 * Finds where the objects at a path of the data are, by plan names. It is slower, and only errors need it.
 *
 * @param wanted the objects in question, where that is not all of them
 */
export function findTargetPaths(
  root: DataObject,
  path: readonly PathStep[],
  wanted?: ReadonlySet<DataObject>,
): ReadonlyMap<DataObject, ResponsePath> {
  const paths = new Map<DataObject, ResponsePath>();
  const trail: (string | number)[] = [];
  const keep = (object: DataObject): void => {
    if (wanted === undefined || wanted.has(object)) {
      paths.set(object, [...trail]);
    }
  };
  visitTargets(root, path, 0, keep, trail);
  return paths;
}

/** The place that all objects at a path of the data have in common: the first list on the way or, without one, the object. */
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

function visitTargets(
  value: unknown,
  path: readonly PathStep[],
  depth: number,
  onTarget: (object: DataObject) => void,
  trail: (string | number)[] | undefined,
): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      trail?.push(index);
      visitTargets(item, path, depth, onTarget, trail);
      trail?.pop();
    });
    return;
  }
  if (!isObject(value) || !isNarrowedTo(value, path[depth - 1]?.types)) {
    return;
  }
  const step = path[depth];
  if (step === undefined) {
    onTarget(value);
  } else if (step.name === '') {
    visitTargets(value, path, depth + 1, onTarget, trail);
  } else {
    trail?.push(step.name);
    visitTargets(property(value, step.name), path, depth + 1, onTarget, trail);
    trail?.pop();
  }
}

function isNarrowedTo({ __typename }: DataObject, types: readonly string[] | undefined): boolean {
  return types === undefined || (typeof __typename === 'string' && types.includes(__typename));
}
