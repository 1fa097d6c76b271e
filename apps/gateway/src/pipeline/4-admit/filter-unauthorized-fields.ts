import { fragmentsByName, responseNameOf } from '@meridian/executor';
import type {
  DocumentNode,
  FieldNode,
  GraphQLCompositeType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import {
  Kind,
  TypeInfo,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { selectionSets } from '../../operation/selection-sets.ts';
import type { UnauthorizedField, UnauthorizedFields } from '../../operation/unauthorized-fields.ts';

/** The requirement of an unauthorized field in words; undefined for any other field. */
type UnmetRequirementOf = (parentName: string, fieldName: string) => string | undefined;

/**
 * Removes fields from a valid operation. A `__typename` with a unique name replaces each, so that no subgraph gets
 * the field and every selection set keeps at least one.
 *
 * @returns the operation without them, and their places
 */
export function filterUnauthorizedFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  unmetRequirementOf: UnmetRequirementOf,
): { readonly document: DocumentNode; readonly unauthorized: UnauthorizedFields } {
  const placeholderOf = createPlaceholders(document);
  const typeInfo = new TypeInfo(schema);
  const kept: DocumentNode = visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field(node): FieldNode | undefined {
        return unmetRequirementOf(typeInfo.getParentType()?.name ?? '', node.name.value) !== undefined
          ? {
              kind: Kind.FIELD,
              alias: { kind: Kind.NAME, value: placeholderOf(responseNameOf(node)) },
              name: { kind: Kind.NAME, value: '__typename' },
              ...(node.directives && { directives: node.directives }),
            }
          : undefined;
      },
    }),
  );
  const unauthorized = placesOf(schema, document, { unmetRequirementOf, placeholderOf, isShown: false });
  return { document: kept, unauthorized };
}

/** The places of the unauthorized fields of an operation that runs whole. */
export function findUnauthorizedFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  unmetRequirementOf: UnmetRequirementOf,
): UnauthorizedFields {
  return placesOf(schema, document, { unmetRequirementOf, placeholderOf: (name) => name, isShown: true });
}

/** The paths of the fields, up to a number; `@` means each item of a list, as in Apollo Router. */
export function pathsOf(
  { unauthorized, below }: UnauthorizedFields,
  max: number,
  from: readonly string[] = [],
): string[][] {
  const paths = unauthorized
    .values()
    .take(max)
    .map(({ responseName }) => from.concat(responseName))
    .toArray();
  for (const [responseName, { type, fields }] of below) {
    if (paths.length >= max) {
      break;
    }
    paths.push(...pathsOf(fields, max - paths.length, [...from, responseName, ...itemsOf(type)]));
  }
  return paths;
}

function itemsOf(type: GraphQLOutputType): string[] {
  const nullable = getNullableType(type);
  return isListType(nullable) ? ['@', ...itemsOf(nullable.ofType)] : [];
}

/** Gives each response name a placeholder of its own. */
function createPlaceholders(document: DocumentNode): (responseName: string) => string {
  const names = new Set(
    selectionSets(document)
      .flatMap(({ selections }) => selections.filter((selection) => selection.kind === Kind.FIELD))
      .map(responseNameOf),
  );
  const placeholders = new Map<string, string>();
  let counter = 0;
  return (responseName) => {
    const known = placeholders.get(responseName);
    if (known !== undefined) {
      return known;
    }
    let placeholder: string;
    do {
      placeholder = `withheld_${counter}`;
      counter += 1;
    } while (names.has(placeholder));
    placeholders.set(responseName, placeholder);
    return placeholder;
  };
}

interface Place {
  readonly unauthorized: Map<string, UnauthorizedField>;
  readonly below: Map<string, { readonly type: GraphQLOutputType; readonly fields: Place }>;
  /** The fragments that were walked here already. */
  readonly fragments: Set<string>;
}

interface PlaceRules {
  readonly unmetRequirementOf: UnmetRequirementOf;
  readonly placeholderOf: (responseName: string) => string;
  readonly isShown: boolean;
}

/** The tree of places. At each place, a fragment is walked once, even if it is spread there several times. */
function placesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { unmetRequirementOf, placeholderOf, isShown }: PlaceRules,
): UnauthorizedFields {
  const fragments = fragmentsByName(document);
  const typeNamed = (name: string): GraphQLCompositeType | undefined => {
    const type = schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  };

  const walk = (
    { selections }: SelectionSetNode,
    parent: GraphQLCompositeType | undefined,
    place: Place,
  ): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        walkField(selection, parent, place);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition;
        walk(selection.selectionSet, condition ? typeNamed(condition.name.value) : parent, place);
      } else if (!place.fragments.has(selection.name.value)) {
        place.fragments.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) {
          walk(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value), place);
        }
      }
    }
  };

  const walkField = (node: FieldNode, parent: GraphQLCompositeType | undefined, place: Place): void => {
    const name = node.name.value;
    const type = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
    if (parent === undefined || type === undefined) {
      return;
    }
    const responseName = responseNameOf(node);
    const requirement = unmetRequirementOf(parent.name, name);
    if (requirement !== undefined) {
      const isNonNull = isNonNullType(type);
      place.unauthorized.set(placeholderOf(responseName), { responseName, isNonNull, requirement, isShown });
    } else if (node.selectionSet !== undefined) {
      const next = place.below.get(responseName) ?? { type, fields: emptyPlace() };
      place.below.set(responseName, next);
      const returned = getNamedType(type);
      walk(node.selectionSet, isCompositeType(returned) ? returned : undefined, next.fields);
    }
  };

  const root = emptyPlace();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      walk(definition.selectionSet, schema.getRootType(definition.operation) ?? undefined, root);
    }
  }
  prune(root);
  return root;
}

function emptyPlace(): Place {
  return { unauthorized: new Map(), below: new Map(), fragments: new Set() };
}

/** Drops the places without unauthorized fields at or below them. Returns true if there is one here. */
function prune(place: Place): boolean {
  for (const [name, { fields }] of place.below) {
    if (!prune(fields)) {
      place.below.delete(name);
    }
  }
  return place.unauthorized.size > 0 || place.below.size > 0;
}
