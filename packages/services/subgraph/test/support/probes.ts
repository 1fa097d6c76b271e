import { readFileSync } from 'node:fs';

import {
  buildASTSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
  print,
} from 'graphql';
import type { GraphQLField, GraphQLInputType, GraphQLNamedOutputType, GraphQLObjectType } from 'graphql';

/** One way into a subgraph: a root field or an entity. */
export interface Probe {
  /** `Query.order`, or the entity's name. */
  readonly place: string;
  /** An operation that goes in there, with one identifier wherever one fits, and selects all there is. */
  document(identifier: string): string;
}

/** The depth of a probe's selection: an entity's key and the path to it, from anything that belongs to it. */
const selectedLevels = 4;

/**
 * The ways into a subgraph, from its schema, so that no field can be forgotten: those that only read come first. A
 * field with optional arguments has two, with them and without.
 */
export function probesOf(schemaFile: URL): Probe[] {
  const schema = buildASTSchema(parse(readFileSync(schemaFile, 'utf8')), { assumeValidSDL: true });
  const entities = Object.values(schema.getTypeMap()).filter(isObjectType).filter(isEntity);
  return [
    ...fieldsOf(schema.getQueryType()).flatMap((field) => rootProbes('query', field)),
    ...entities.map(entityProbe),
    ...fieldsOf(schema.getMutationType()).flatMap((field) => rootProbes('mutation', field)),
  ];
}

type Field = GraphQLField<unknown, unknown>;

function rootProbes(operation: 'query' | 'mutation', field: Field): Probe[] {
  const type = operation === 'query' ? 'Query' : 'Mutation';
  const required = field.args.filter(isRequiredArgument);
  const choices = required.length === field.args.length ? [field.args] : [field.args, required];
  return choices.map((chosen) => ({
    place: `${type}.${field.name}${chosen === field.args ? '' : ' without optional arguments'}`,
    document(identifier) {
      const argumentTexts = chosen.map(({ name, type: input }) => `${name}: ${literal(input, identifier)}`);
      const call = argumentTexts.length === 0 ? field.name : `${field.name}(${argumentTexts.join(' ')})`;
      return `${operation} { ${call} ${selectionOf(getNamedType(field.type), selectedLevels)} }`;
    },
  }));
}

function entityProbe(type: GraphQLObjectType): Probe {
  return {
    place: type.name,
    document: (identifier) =>
      `{ _entities(representations: [{ __typename: "${type.name}", id: "${identifier}" }]) {
        ... on ${type.name} ${selectionOf(type, selectedLevels)}
      } }`,
  };
}

function isEntity({ astNode }: GraphQLObjectType): boolean {
  const keys = (astNode?.directives ?? []).filter((directive) => directive.name.value === 'key');
  return keys.some((key) => !print(key).includes('resolvable: false'));
}

/** All fields that are the subgraph's own, as deep as told. */
function selectionOf(type: GraphQLNamedOutputType, levels: number): string {
  if (!isObjectType(type)) {
    return '';
  }
  const selections = fieldsOf(type)
    .filter((field) => !isExternal(field) && (levels > 1 || !isObjectType(getNamedType(field.type))))
    .map((field) => `${field.name} ${selectionOf(getNamedType(field.type), levels - 1)}`);
  return `{ __typename ${selections.join(' ')} }`;
}

function isExternal({ astNode }: Field): boolean {
  return (astNode?.directives ?? []).some((directive) => directive.name.value === 'external');
}

function fieldsOf(type: GraphQLObjectType | null | undefined): Field[] {
  return Object.values(type?.getFields() ?? {});
}

/** A value that an argument takes; of an identifier, the one that is probed. */
function literal(type: GraphQLInputType, identifier: string): string {
  if (isNonNullType(type)) {
    return literal(type.ofType, identifier);
  }
  if (isListType(type)) {
    return `[${literal(type.ofType, identifier)}]`;
  }
  if (isEnumType(type)) {
    return type.getValues()[0]?.name ?? '';
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${fields.map((field) => `${field.name}: ${literal(field.type, identifier)}`).join(' ')} }`;
  }
  return type.name === 'ID' ? `"${identifier}"` : type.name === 'Int' ? '1' : '"probe"';
}
