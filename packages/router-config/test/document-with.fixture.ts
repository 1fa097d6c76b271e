/** A document that holds a value at one path alone; `*` is a name, `[]` the first item. */
export function documentWith(path: string, value: unknown): unknown {
  return path
    .split(/\.|(?=\[\])/)
    .reduceRight((held, key) => (key === '[]' ? [held] : { [key === '*' ? 'any' : key]: held }), value);
}
