import { UsageError } from '@meridian/settings/command-line';

/** A type's name in the forms that code has it in. */
export interface TypeWords {
  /** `GiftCard` */
  readonly type: string;
  /** `giftCard` */
  readonly one: string;
  /** `giftCards` */
  readonly many: string;
}

/**
 * The forms of a type's name.
 *
 * @throws {UsageError} for a name that is not capitalised words
 */
export function typeWords(type: string): TypeWords {
  if (!/^[A-Z][a-z0-9]*(?:[A-Z][a-z0-9]+)*$/u.test(type)) {
    throw new UsageError(
      `--type is ${JSON.stringify(type)}; it takes capitalised words such as Warehouse or GiftCard`,
    );
  }
  const one = type.charAt(0).toLowerCase() + type.slice(1);
  return { type, one, many: pluralOf(one) };
}

/** The type that a subgraph's name suggests: `GiftCard` for `gift-cards`. */
export function typeOfName(name: string): string {
  return singularOf(name)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The words of a type's name in lower case, with this between them: `gift_card` of `GiftCard`. */
export function joinedBy(separator: string, type: string): string {
  return type.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, separator).toLowerCase();
}

export function pluralOf(word: string): string {
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
