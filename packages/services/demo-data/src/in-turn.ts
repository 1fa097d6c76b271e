/**
 * The element whose turn it is at a position, starting over at the end of the list.
 *
 * @throws {RangeError} for an empty list
 */
export function inTurn<Element>(list: readonly Element[], position: number): Element {
  const element = list[position % list.length];
  if (element === undefined) {
    throw new RangeError('Cannot take turns in an empty list');
  }
  return element;
}
