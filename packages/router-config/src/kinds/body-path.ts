import type { Kind } from './kind.ts';
import { unreadable } from './kind.ts';

/** The way to a value in the body of a request: names of members, and indexes of lists. */
export type BodyPath = readonly (string | number)[];

const members = ['query', 'operationName', 'variables', 'extensions'];
const step = /\.?([A-Za-z_][\w-]*)|\[(\d{1,6})\]|\['([^']+)'\]|\["([^"]+)"\]/y;

/** A JSONPath of names and indexes, with or without `$`. What could find several values, such as `*`, is none. */
export const bodyPath: Kind<BodyPath> = {
  read: (value, at) => {
    const path = typeof value === 'string' ? parsePath(value.replace(/^\$/, '')) : undefined;
    if (path !== undefined && members.includes(String(path[0]))) {
      return path;
    }
    at.faultOfKind(value, `a path of names and indexes from ${members.join(', ')}, such as $.variables.id`);
    return unreadable;
  },
  schema: { type: 'string' },
};

function parsePath(text: string): BodyPath | undefined {
  const path: (string | number)[] = [];
  for (let position = 0; position < text.length; position = step.lastIndex) {
    step.lastIndex = position;
    const match = step.exec(text);
    if (match === null) {
      return undefined;
    }
    const [, name, index, single, double] = match;
    path.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index));
  }
  return path;
}
