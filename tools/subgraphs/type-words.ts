import { UsageError } from '@meridian/command-line';

/**
 * A type's name in the forms that code has it in. It is one word, so that tables, fields and files all have the same
 * form.
 */
export interface TypeWords {
  /** `Warehouse` */
  readonly type: string;
  /** `warehouse` */
  readonly one: string;
  /** `warehouses` */
  readonly many: string;
}

/** The words that the template's code has for other things, and JavaScript's own that could be a type's name. */
const takenWords = new Set(
  'caller case class column context database default export first function id import key loader mutation name new one package page position query row samples scope signal sample static store switch tenant this type'.split(
    ' ',
  ),
);

/**
 * The forms of a type's name.
 *
 * @throws {UsageError} for a name that the template cannot take
 */
export function typeWords(type: string): TypeWords {
  if (!/^[A-Z][a-z0-9]*$/u.test(type)) {
    throw new UsageError(
      `--type is ${JSON.stringify(type)}; it takes one capitalised word such as Warehouse`,
    );
  }
  const one = type.toLowerCase();
  if (takenWords.has(one)) {
    throw new UsageError(
      `--type is ${JSON.stringify(type)}, a word with a meaning in the code; take another one`,
    );
  }
  return { type, one, many: pluralOf(one) };
}

/** The type that a subgraph's name suggests: `Warehouse` for `warehouses`. */
export function typeOfName(name: string): string {
  const one = singularOf(name);
  return one.charAt(0).toUpperCase() + one.slice(1);
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/u.test(word)) {
    return `${word.slice(0, -1)}ies`;
  }
  return /(?:s|x|z|ch|sh)$/u.test(word) ? `${word}es` : `${word}s`;
}

function singularOf(word: string): string {
  if (/[^aeiou]ies$/u.test(word)) {
    return `${word.slice(0, -3)}y`;
  }
  if (/(?:s|x|z|ch|sh)es$/u.test(word) && !/[^s]ses$/u.test(word)) {
    return word.slice(0, -2);
  }
  return /[^sui]s$/u.test(word) ? word.slice(0, -1) : word;
}
