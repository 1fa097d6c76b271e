/** The elements of two lists, by their names. */
export interface Pairs<Element> {
  readonly added: readonly Element[];
  readonly removed: readonly Element[];
  /** Those in both lists: before, after. */
  readonly kept: readonly (readonly [before: Element, after: Element])[];
}

/** Pairs elements by a key, which is unique in each list. */
export function pairByKey<Element>(
  before: Iterable<Element>,
  after: Iterable<Element>,
  keyOf: (element: Element) => string,
): Pairs<Element> {
  const left = new Map<string, Element>();
  for (const element of before) {
    left.set(keyOf(element), element);
  }
  const added: Element[] = [];
  const kept: (readonly [Element, Element])[] = [];
  for (const element of after) {
    const key = keyOf(element);
    const counterpart = left.get(key);
    if (counterpart === undefined) {
      added.push(element);
    } else {
      left.delete(key);
      kept.push([counterpart, element]);
    }
  }
  return { added, removed: [...left.values()], kept };
}

/** Pairs elements by their names. */
export function pairByName<Named extends { readonly name: string }>(
  before: Iterable<Named>,
  after: Iterable<Named>,
): Pairs<Named> {
  return pairByKey(before, after, ({ name }) => name);
}

/** Pairs plain texts. */
export function pairTexts(before: Iterable<string>, after: Iterable<string>): Pairs<string> {
  return pairByKey(new Set(before), new Set(after), (text) => text);
}

/** The elements with each key together, in the order in which the keys come first. */
export function groupsOf<Element>(
  elements: Iterable<Element>,
  keyOf: (element: Element) => unknown,
): readonly (readonly [Element, ...Element[]])[] {
  const groups = new Map<string, [Element, ...Element[]]>();
  for (const element of elements) {
    const key = JSON.stringify(keyOf(element));
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [element]);
    } else {
      group.push(element);
    }
  }
  return [...groups.values()];
}
