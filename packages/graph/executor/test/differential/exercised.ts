import type { GraphQLOutputType } from 'graphql';
import {
  TypeInfo,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import type { FederationUnderTest } from './federation-under-test.ts';
import type { GeneratedOperation } from './generate-operation.ts';

/** The kinds of things that an operation is about, as the report has them. */
export function kindsOf(
  { operation: { document }, variables }: GeneratedOperation,
  {
    supergraph: { apiSchema },
    requires,
    overrides,
    contexts,
    heldTypes,
    isUntyped,
    singletons,
  }: FederationUnderTest,
): ReadonlySet<string> {
  const kinds = new Set<string>();
  const types = new TypeInfo(apiSchema);
  visit(
    document,
    visitWithTypeInfo(types, {
      OperationDefinition: ({ operation }) => void kinds.add(operation),
      SelectionSet({ selections: [only, another] }) {
        const isSkipped = only?.directives?.some(({ name }) => ['skip', 'include'].includes(name.value));
        if (isSkipped === true && another === undefined) {
          kinds.add('objects of which everything may be skipped');
        }
      },
      Directive: () => void kinds.add('@skip or @include'),
      FragmentDefinition: () => void kinds.add('named fragments'),
      Field({ name: { value: name }, alias, arguments: given = [] }) {
        const parent = types.getParentType()?.name ?? '';
        const place = `${parent}.${name}`;
        const label = overrides.get(place);
        const type = types.getType();
        const held = heldTypes.get(place);
        const found: Readonly<Record<string, boolean>> = {
          aliases: alias !== undefined,
          arguments: given.length > 0,
          '@requires': requires.has(place),
          '@fromContext': contexts.has(place),
          '@override': overrides.has(place) && label === undefined,
          '@override with a label': label?.startsWith('label') === true,
          '@override with a percentage': label?.startsWith('percent') === true,
          'an interface object': parent === 'Media',
          'an interface object of no type': parent === 'Media' && isUntyped,
          'a @requires behind the key of another entity': place === 'Crate.route',
          'an entity whose key is its type': singletons.has(parent),
          'abstract types': isAbstractType(getNamedType(type)),
          'abstract types that subgraphs share': held !== undefined && name.startsWith('shared'),
          'abstract types without any of their types': held?.length === 0,
          'custom scalars': getNamedType(type)?.name === 'JSON',
          'lists of lists': type !== undefined && type !== null && isListOfLists(type),
        };
        Object.entries(found)
          .filter(([, isFound]) => isFound)
          .forEach(([kind]) => kinds.add(kind));
      },
    }),
  );
  if (Object.keys(variables).length > 0) {
    kinds.add('variables');
  }
  return kinds;
}

function isListOfLists(type: GraphQLOutputType): boolean {
  const list = getNullableType(type);
  return isListType(list) && isListType(getNullableType(list.ofType));
}
