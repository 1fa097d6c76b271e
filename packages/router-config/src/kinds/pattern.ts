import type { Kind } from './kind.ts';
import { unreadable } from './kind.ts';

/** A regular expression over header names, which are lower-case. */
export const pattern: Kind<RegExp> = {
  read: (value, at) => {
    const compiled = typeof value === 'string' ? compile(value) : undefined;
    if (compiled !== undefined) {
      return compiled;
    }
    at.faultOfKind(value, 'a regular expression');
    return unreadable;
  },
  schema: { type: 'string' },
};

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}
