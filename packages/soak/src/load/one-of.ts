/** One of these, each as likely as the others. */
export function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) {
    throw new RangeError('There is nothing to choose from');
  }
  return item;
}
