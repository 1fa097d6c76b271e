import { scalar } from './key-type.ts';

/** A step to all members of a map, or all items of a list. */
export const everyMember: unique symbol = Symbol('every member');

/** A path to values in the body of a request: names of members, indexes of lists, or `*` for all. */
export type BodyPath = readonly (string | number | typeof everyMember)[];

const members = ['query', 'operationName', 'variables', 'extensions'];
const step = /\.?([A-Za-z_][\w-]*)|\[(\d{1,6})\]|\['([^']+)'\]|\["([^"]+)"\]|(\.?\*|\[\*\])/y;

/**
 * A JSONPath of names, indexes and `*`, with or without `$`. Filters, slices and `..` are not supported: each request
 * would need a search.
 */
export const bodyPath = scalar({
  takes: `a path of names, indexes and * from ${members.join(', ')}, such as $.variables.id`,
  read: (value) => {
    const path = typeof value === 'string' ? parsePath(value.replace(/^\$/, '')) : undefined;
    return members.includes(String(path?.[0])) ? path : undefined;
  },
  schema: { type: 'string', examples: ['$.variables.id'] },
});

/** Undefined for a text of another form. */
export function parsePath(text: string): BodyPath | undefined {
  const path: BodyPath[number][] = [];
  for (let position = 0; position < text.length; position = step.lastIndex) {
    step.lastIndex = position;
    const match = step.exec(text);
    if (match === null) {
      return undefined;
    }
    const [, name, index, single, double, every] = match;
    if (every !== undefined) {
      path.push(everyMember);
    } else {
      path.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index));
    }
  }
  return path;
}
