import type { Change } from '../change.ts';
import type { FaultyElements } from './faulty-elements.ts';
import type { OperationFacts } from './operation-facts.ts';

/** True for a change that explains an error of an operation which was valid before. */
export function isCause(
  { kind, coordinate, before }: Change,
  { isAtOneNode, elements, fragments, enclosing }: FaultyElements,
  facts: OperationFacts,
): boolean {
  if (kind.startsWith('UNION_MEMBER_') || kind.startsWith('OBJECT_TYPE_INTERFACE_')) {
    return fragments.has(coordinate) || (before !== undefined && fragments.has(before));
  }
  if (elements.has(coordinate)) {
    return true;
  }
  if (kind.startsWith('REQUIRED_') || facts.omitted.has(coordinate)) {
    // The error is at the field, directive or object from which the value is missing.
    return isAtOneNode && elements.has(ownerOf(coordinate));
  }
  return /_(?:TYPE_CHANGED|REMOVED)$/u.test(kind) && enclosing.has(coordinate);
}

/** `Query.orders` of `Query.orders(first:)`, `Filter` of `Filter.text`. */
function ownerOf(coordinate: string): string {
  return coordinate.replace(/\(\w+:\)$|\.\w+$/u, '');
}
