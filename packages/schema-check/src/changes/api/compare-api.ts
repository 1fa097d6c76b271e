import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import { pairByKey } from '../pair-by-key.ts';
import { compareDescriptions } from './compare-descriptions.ts';
import { compareDirectives } from './compare-directives.ts';
import { compareEnums } from './compare-enums.ts';
import { compareFields } from './compare-fields.ts';
import { compareInputObjects } from './compare-input-objects.ts';
import { compareInterfaces, compareMembers, compareNewImplementor } from './compare-memberships.ts';
import { compareRootTypes } from './compare-root-types.ts';
import { kindOfType } from './kind-of-type.ts';
import { outputTypeNames } from './output-type-names.ts';

/** Compares what clients see of two graphs. */
export function compareApi(before: GraphQLSchema, after: GraphQLSchema): Change[] {
  const types = pairByKey(ownTypes(before), ownTypes(after), ({ name }) => name);
  const outputs = outputTypeNames(after);
  return [
    ...compareRootTypes(before, after),
    ...types.removed.map((type) => changeOf('TYPE_REMOVED', type.name, { before: kindOfType(type) })),
    ...types.added.flatMap((type) => [
      changeOf('TYPE_ADDED', type.name, { after: kindOfType(type) }),
      ...compareNewImplementor(before, type),
    ]),
    ...types.kept.flatMap(([one, other]) => compareTypes(one, other, outputs)),
    ...compareDirectives(before, after),
  ];
}

function ownTypes(schema: GraphQLSchema): readonly GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
}

function compareTypes(
  before: GraphQLNamedType,
  after: GraphQLNamedType,
  outputs: ReadonlySet<string>,
): Change[] {
  return [...compareDescriptions(before.name, before, after), ...compareContents(before, after, outputs)];
}

function compareContents(
  before: GraphQLNamedType,
  after: GraphQLNamedType,
  outputs: ReadonlySet<string>,
): Change[] {
  if (isEnumType(before) && isEnumType(after)) {
    return compareEnums(before, after, outputs.has(after.name));
  }
  if (isUnionType(before) && isUnionType(after)) {
    return compareMembers(before, after);
  }
  if (isInputObjectType(before) && isInputObjectType(after)) {
    return compareInputObjects(before, after);
  }
  const bothObjects = isObjectType(before) && isObjectType(after);
  const bothInterfaces = isInterfaceType(before) && isInterfaceType(after);
  if (bothObjects || bothInterfaces) {
    return [...compareInterfaces(before, after), ...compareFields(before, after)];
  }
  if (isScalarType(before) && isScalarType(after)) {
    const urls = { before: before.specifiedByURL ?? undefined, after: after.specifiedByURL ?? undefined };
    return urls.before === urls.after ? [] : [changeOf('SPECIFIED_BY_CHANGED', before.name, urls)];
  }
  return [
    changeOf('TYPE_KIND_CHANGED', before.name, { before: kindOfType(before), after: kindOfType(after) }),
  ];
}
