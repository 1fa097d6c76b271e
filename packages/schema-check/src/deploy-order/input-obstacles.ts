import { reachableInputs } from '@meridian/schema-changes';
import type { GraphQLEnumType, GraphQLInputObjectType, OperationDefinitionNode, TypeNode } from 'graphql';
import { Kind, isEnumType, isInputObjectType, isRequiredInputField } from 'graphql';

import type { ForeignFetch } from './foreign-fetch.ts';
import type { Obstacle } from './obstacle.ts';
import { takesValuesOf } from './value-compatibility.ts';

/** Finds what the variables of a fetch may hold by the supergraph, and this version of the subgraph does not take. */
export function inputObstacles(
  { variableDefinitions = [] }: OperationDefinitionNode,
  { supergraph, subgraph }: Pick<ForeignFetch, 'supergraph' | 'subgraph'>,
): readonly Obstacle[] {
  const names = new Set(
    variableDefinitions.flatMap(({ type }) => reachableInputs(supergraph.schema, namedTypeOf(type))),
  );
  return [...names].flatMap((name) => {
    const [sent, taken] = [supergraph.schema.getType(name), subgraph.schema.getType(name)];
    if (isEnumType(sent) && isEnumType(taken)) {
      return valuesNotTaken(sent, taken);
    }
    return isInputObjectType(sent) && isInputObjectType(taken)
      ? fieldsNotTaken(sent, taken, supergraph).concat(fieldsNotSent(sent, taken))
      : [];
  });
}

function valuesNotTaken(sent: GraphQLEnumType, taken: GraphQLEnumType): readonly Obstacle[] {
  return sent
    .getValues()
    .filter(({ name }) => taken.getValue(name) === undefined)
    .map(({ name }) => notTaken(`${sent.name}.${name}`));
}

function fieldsNotTaken(
  sent: GraphQLInputObjectType,
  taken: GraphQLInputObjectType,
  { schema }: ForeignFetch['supergraph'],
): readonly Obstacle[] {
  const known = taken.getFields();
  return Object.values(sent.getFields()).flatMap(({ name, type }) => {
    const coordinate = `${sent.name}.${name}`;
    const field = known[name];
    if (field === undefined) {
      return [notTaken(coordinate)];
    }
    return takesValuesOf(schema, field.type, type)
      ? []
      : [
          {
            coordinate,
            message: `${coordinate} is ${String(field.type)} there, and the supergraph takes ${String(type)}`,
            side: 'input' as const,
          },
        ];
  });
}

function fieldsNotSent(sent: GraphQLInputObjectType, taken: GraphQLInputObjectType): readonly Obstacle[] {
  const known = sent.getFields();
  return Object.values(taken.getFields())
    .filter((field) => isRequiredInputField(field) && known[field.name] === undefined)
    .map(({ name }) => {
      const coordinate = `${taken.name}.${name}`;
      return {
        coordinate,
        message: `${coordinate} is required there, and nobody can send it`,
        side: 'input',
      };
    });
}

function notTaken(coordinate: string): Obstacle {
  return { coordinate, message: `clients may send ${coordinate}, which is not known there`, side: 'input' };
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}
