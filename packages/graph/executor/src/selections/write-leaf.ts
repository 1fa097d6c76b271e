import type { GraphQLEnumType, GraphQLLeafType } from 'graphql';
import { isEnumType } from 'graphql';

import { ExactNumber } from '@meridian/json';

/** Writes a leaf as JSON; undefined for a value that its type does not have. Never gets a null. */
export type WriteLeaf = (value: unknown) => string | undefined;

const maxInt = 2 ** 31 - 1;
const minInt = -(2 ** 31);

/** GraphQL specification §3.5. */
const builtInScalars: ReadonlyMap<string, WriteLeaf> = new Map<string, WriteLeaf>([
  [
    'Int',
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= minInt && value <= maxInt
        ? JSON.stringify(value)
        : undefined,
  ],
  [
    'Float',
    (value) => (typeof value === 'number' && Number.isFinite(value) ? JSON.stringify(value) : undefined),
  ],
  ['String', (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined)],
  ['Boolean', (value) => (typeof value === 'boolean' ? String(value) : undefined)],
  ['ID', writeId],
]);

export function leafWriter(type: GraphQLLeafType): WriteLeaf {
  if (isEnumType(type)) {
    return enumWriter(type);
  }
  const write = builtInScalars.get(type.name);
  return write === undefined
    ? writeCustom
    : (value) => write(value instanceof ExactNumber ? Number(value) : value);
}

/** A custom scalar may have any value, numbers with all their digits, except one that nests too deeply for the stack. */
function writeCustom(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * An identifier is serialized as a string, also where a subgraph sends it as an integer. GraphQL specification §3.5.5.
 */
function writeId(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return JSON.stringify(value);
  }
  return Number.isSafeInteger(value) ? `"${String(value)}"` : undefined;
}

function enumWriter(type: GraphQLEnumType): WriteLeaf {
  const texts = new Map<unknown, string>(type.getValues().map(({ name }) => [name, JSON.stringify(name)]));
  return (value) => texts.get(value);
}
