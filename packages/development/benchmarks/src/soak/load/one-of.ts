/**
 * Picks one of these, all equally likely.
 *
 * @throws {RangeError} if there are none
 */
export function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) {
    throw new RangeError('There is nothing to choose from');
  }
  return item;
}
