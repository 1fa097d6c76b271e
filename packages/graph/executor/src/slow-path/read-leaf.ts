import { ExactNumber } from '@meridian/json';

/** Converts the exact numbers of a leaf, or of a list of leaves, to what its type holds. */
export type ReadLeaf = (value: unknown) => unknown;

/** The numbers of `Int` and `Float` are doubles. An `ID` is a number only where a double holds all of it. */
const builtInNumbers: ReadonlyMap<string, (number: ExactNumber) => unknown> = new Map<
  string,
  (number: ExactNumber) => unknown
>([
  ['Int', Number],
  ['Float', Number],
  ['ID', (number) => (Number.isSafeInteger(Number(number)) ? Number(number) : number)],
]);

/** The numbers of a custom scalar stay as they were written. */
export function leafReader(typeName: string): ReadLeaf {
  const convert = builtInNumbers.get(typeName);
  if (convert === undefined) {
    return (value) => value;
  }
  const read: ReadLeaf = (value) => {
    if (value instanceof ExactNumber) {
      return convert(value);
    }
    return Array.isArray(value) ? value.map(read) : value;
  };
  return read;
}
