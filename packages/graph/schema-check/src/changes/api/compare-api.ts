import type {
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLField,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';

import type { Change } from '../change.ts';
import { changeOf, changesOfSet, changesOfTexts, changesOfValue } from '../change.ts';
import { pairByName } from '../pair-by-key.ts';
import { compareDescriptions, compareInputs, promisesAsMuch } from './compare-inputs.ts';
import { kindOfType } from './schema-elements.ts';

/** Compares what clients see of two graphs. */
export function compareApi(before: GraphQLSchema, after: GraphQLSchema): Change[] {
  const types = pairByName(ownTypes(before), ownTypes(after));
  const outputs = outputTypeNames(after);
  const directives = pairByName(ownDirectives(before), ownDirectives(after));
  return [
    ...compareRootTypes(before, after),
    ...changesOfSet(['TYPE_REMOVED', 'TYPE_ADDED'], types, (type) => ({
      coordinate: type.name,
      value: kindOfType(type),
    })),
    ...types.added.flatMap((type) => compareNewImplementor(before, type)),
    ...types.kept.flatMap(([one, other]) => compareDescriptions(one.name, one, other)),
    ...types.kept.flatMap(([one, other]) => compareType(one, other, outputs)),
    ...changesOfSet(['DIRECTIVE_REMOVED', 'DIRECTIVE_ADDED'], directives, ({ name }) => ({
      coordinate: `@${name}`,
    })),
    ...directives.kept.flatMap(([one, other]) => compareDirective(one, other)),
  ];
}

function ownTypes(schema: GraphQLSchema): readonly GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
}

function ownDirectives(schema: GraphQLSchema): readonly GraphQLDirective[] {
  return schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive));
}

/** The names of the types that some field returns. */
function outputTypeNames(schema: GraphQLSchema): ReadonlySet<string> {
  return new Set(
    Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) || isInterfaceType(type)
        ? Object.values(type.getFields()).map((field) => getNamedType(field.type).name)
        : [],
    ),
  );
}

/** A schema that gains mutations breaks no client. */
function compareRootTypes(before: GraphQLSchema, after: GraphQLSchema): Change[] {
  const roots = [
    ['SCHEMA_QUERY_TYPE_CHANGED', before.getQueryType(), after.getQueryType()],
    ['SCHEMA_MUTATION_TYPE_CHANGED', before.getMutationType(), after.getMutationType()],
    ['SCHEMA_SUBSCRIPTION_TYPE_CHANGED', before.getSubscriptionType(), after.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, one, other]) =>
    changesOfValue(kind, 'schema', one?.name, other?.name, { level: one ? 'breaking' : 'safe' }),
  );
}

/** The interfaces of the schema before that a new object implements: responses may have it where they had others. */
function compareNewImplementor(before: GraphQLSchema, added: GraphQLNamedType): Change[] {
  return isObjectType(added)
    ? namesOf(added.getInterfaces())
        .filter((name) => before.getType(name) !== undefined)
        .map((name) => changeOf('OBJECT_TYPE_INTERFACE_ADDED', added.name, { after: name }))
    : [];
}

function compareType(
  before: GraphQLNamedType,
  after: GraphQLNamedType,
  outputs: ReadonlySet<string>,
): Change[] {
  const { name } = before;
  if (isEnumType(before) && isEnumType(after)) {
    return compareEnums(before, after, outputs.has(name));
  }
  if (isUnionType(before) && isUnionType(after)) {
    const kinds = ['UNION_MEMBER_REMOVED', 'UNION_MEMBER_ADDED'] as const;
    return changesOfTexts(kinds, name, namesOf(before.getTypes()), namesOf(after.getTypes()));
  }
  if (isInputObjectType(before) && isInputObjectType(after)) {
    return compareInputObjects(before, after);
  }
  const bothObjects = isObjectType(before) && isObjectType(after);
  const bothInterfaces = isInterfaceType(before) && isInterfaceType(after);
  if (bothObjects || bothInterfaces) {
    const kinds = ['OBJECT_TYPE_INTERFACE_REMOVED', 'OBJECT_TYPE_INTERFACE_ADDED'] as const;
    return [
      ...changesOfTexts(kinds, name, namesOf(before.getInterfaces()), namesOf(after.getInterfaces())),
      ...compareFields(before, after),
    ];
  }
  return isScalarType(before) && isScalarType(after)
    ? changesOfValue('SPECIFIED_BY_CHANGED', name, before.specifiedByURL, after.specifiedByURL)
    : [changeOf('TYPE_KIND_CHANGED', name, { before: kindOfType(before), after: kindOfType(after) })];
}

function namesOf(types: readonly { readonly name: string }[]): readonly string[] {
  return types.map(({ name }) => name);
}

/** @param isOutput false for an enum that clients only send: a new value harms none of them */
function compareEnums(before: GraphQLEnumType, after: GraphQLEnumType, isOutput: boolean): Change[] {
  const { added, removed, kept } = pairByName(before.getValues(), after.getValues());
  const coordinate = (name: string): string => `${before.name}.${name}`;
  return [
    ...removed.map(({ name }) => changeOf('ENUM_VALUE_REMOVED', coordinate(name), { before: name })),
    ...added.map(({ name }) =>
      changeOf('ENUM_VALUE_ADDED', coordinate(name), { after: name, level: isOutput ? 'dangerous' : 'safe' }),
    ),
    ...kept.flatMap(([one, other]) => compareDescriptions(coordinate(one.name), one, other)),
  ];
}

function compareInputObjects(before: GraphQLInputObjectType, after: GraphQLInputObjectType): Change[] {
  const { name, isOneOf } = after;
  const fields = [Object.values(before.getFields()), Object.values(after.getFields())] as const;
  return [
    ...(before.isOneOf === isOneOf ? [] : [changeOf(isOneOf ? 'ONE_OF_ADDED' : 'ONE_OF_REMOVED', name)]),
    ...compareInputs(...fields, 'INPUT_FIELD', (field) => `${name}.${field}`),
  ];
}

type Parent = GraphQLObjectType | GraphQLInterfaceType;

function compareFields(before: Parent, after: Parent): Change[] {
  const fields = pairByName(Object.values(before.getFields()), Object.values(after.getFields()));
  return [
    ...changesOfSet(['FIELD_REMOVED', 'FIELD_ADDED'], fields, ({ name, type }) => ({
      coordinate: `${before.name}.${name}`,
      value: String(type),
    })),
    ...fields.kept.flatMap(([one, other]) => compareField(one, other, `${before.name}.${one.name}`)),
  ];
}

type Field = GraphQLField<unknown, unknown>;

function compareField(before: Field, after: Field, coordinate: string): Change[] {
  const level = promisesAsMuch(before.type, after.type) ? 'safe' : 'breaking';
  return [
    ...compareDescriptions(coordinate, before, after),
    ...changesOfValue('FIELD_TYPE_CHANGED', coordinate, String(before.type), String(after.type), { level }),
    ...compareInputs(before.args, after.args, 'FIELD_ARGUMENT', (name) => `${coordinate}(${name}:)`),
  ];
}

function compareDirective(before: GraphQLDirective, after: GraphQLDirective): Change[] {
  const coordinate = `@${before.name}`;
  const locationKinds = ['DIRECTIVE_LOCATION_REMOVED', 'DIRECTIVE_LOCATION_ADDED'] as const;
  const repeatable = after.isRepeatable ? 'DIRECTIVE_REPEATABLE_ADDED' : 'DIRECTIVE_REPEATABLE_REMOVED';
  return [
    ...compareDescriptions(coordinate, before, after),
    ...changesOfTexts(locationKinds, coordinate, before.locations, after.locations),
    ...(before.isRepeatable === after.isRepeatable ? [] : [changeOf(repeatable, coordinate)]),
    ...compareInputs(before.args, after.args, 'DIRECTIVE_ARGUMENT', (name) => `${coordinate}(${name}:)`),
  ];
}
