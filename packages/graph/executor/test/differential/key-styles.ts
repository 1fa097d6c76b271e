// The keys of generated entities, in every form that composition accepts.
import type { Draft } from './schema-draft.ts';
import { declareType } from './schema-draft.ts';

export type KeyStyle = keyof typeof keyTexts;

export const keyTexts = {
  id: 'id',
  sku: 'sku',
  compound: 'id region',
  nested: 'ref { code }',
  exact: 'serial',
  typed: '__typename id',
  nestedTyped: 'ref { __typename code } region',
  typename: '__typename',
} as const;

const keyFieldTypes = {
  id: ['id: ID!'],
  sku: ['sku: String!'],
  compound: ['id: ID!', 'region: String!'],
  nested: ['ref: Ref!'],
  exact: ['serial: JSON!'],
  typed: ['id: ID!'],
  nestedTyped: ['ref: Ref!', 'region: String!'],
  typename: [],
} as const satisfies Readonly<Record<KeyStyle, readonly string[]>>;

/** The keys of types that have many entities. `__typename` alone tells one entity from nothing. */
export const identifyingStyles: readonly KeyStyle[] = [
  'id',
  'sku',
  'compound',
  'nested',
  'exact',
  'typed',
  'nestedTyped',
];

/** Declares an entity with its keys in a subgraph. */
export function declareKeys(
  draft: Draft,
  typeName: string,
  { keys, isResolvable = true }: { readonly keys: readonly KeyStyle[]; readonly isResolvable?: boolean },
): void {
  const isUnresolvable = !isResolvable && !keys.includes('typename');
  const argument = isUnresolvable ? ', resolvable: false' : '';
  declareType(draft, typeName, keys.map((key) => `@key(fields: "${keyTexts[key]}"${argument})`).join(' '), [
    ...keys.flatMap((key) => keyFieldTypes[key]),
    // A type has fields, and a key of `__typename` alone brings none.
    ...(keys.includes('typename') ? [`open_${draft.name}: String`] : []),
  ]);
  if (keys.some((key) => keyTexts[key].includes('ref'))) {
    declareType(draft, 'Ref', '@shareable', ['code: ID!']);
  }
}
