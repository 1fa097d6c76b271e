import { reachableInputs } from '../changes/impact/reachable-inputs.ts';
import type { GraphQLEnumType, GraphQLInputObjectType, OperationDefinitionNode } from 'graphql';
import {
  Kind,
  TypeInfo,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isRequiredInputField,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { namedTypeOf } from '../changes/federation/elements.ts';
import type { ForeignFetch } from './foreign-fetch.ts';
import type { Obstacle } from './obstacle.ts';
import { takesValuesOf } from './value-compatibility.ts';

/** Finds what the variables of a fetch may hold by the supergraph, and this version of the subgraph does not take. */
export function inputObstacles(
  operation: OperationDefinitionNode,
  { supergraph, subgraph }: Pick<ForeignFetch, 'supergraph' | 'subgraph'>,
): readonly Obstacle[] {
  const { variableDefinitions = [] } = operation;
  const names = new Set(
    variableDefinitions.flatMap(({ type }) => reachableInputs(supergraph.schema, namedTypeOf(type))),
  );
  const ofTypes = [...names].flatMap((name) => {
    const [sent, taken] = [supergraph.schema.getType(name), subgraph.schema.getType(name)];
    if (isEnumType(sent) && isEnumType(taken)) {
      return valuesNotTaken(sent, taken);
    }
    return isInputObjectType(sent) && isInputObjectType(taken)
      ? fieldsNotTaken(sent, taken, supergraph).concat(fieldsNotSent(sent, taken))
      : [];
  });
  return [...ofTypes, ...nullsNotTaken(operation, subgraph)];
}

/** A value that may not be null but has a default takes a variable that may be null, and fails for null. */
function nullsNotTaken(
  operation: OperationDefinitionNode,
  { schema }: ForeignFetch['subgraph'],
): readonly Obstacle[] {
  const nullable = new Set(
    (operation.variableDefinitions ?? [])
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map(({ variable }) => variable.name.value),
  );
  const typeInfo = new TypeInfo(schema);
  const found: Obstacle[] = [];
  visit(
    operation,
    visitWithTypeInfo(typeInfo, {
      VariableDefinition: () => false,
      Variable({ name }) {
        const [parent, field, argument] = [
          typeInfo.getParentType(),
          typeInfo.getFieldDef(),
          typeInfo.getArgument(),
        ];
        if (nullable.has(name.value) && isNonNullType(typeInfo.getInputType())) {
          const coordinate = `${parent?.name}.${field?.name}(${argument?.name}:)`;
          found.push({
            coordinate,
            message: `clients may send null for ${coordinate}, which is never null there`,
            side: 'input',
          });
        }
      },
    }),
  );
  return found;
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
    const isNewlyRequired = isNonNullType(field.type) && !isNonNullType(type);
    return takesValuesOf(schema, field.type, type)
      ? []
      : [
          {
            // Clients that leave it out send the object only.
            coordinate: isNewlyRequired ? sent.name : coordinate,
            message: `${coordinate} is ${String(field.type)} there, and the supergraph takes ${String(type)}`,
            side: 'input' as const,
          },
        ];
  });
}

function fieldsNotSent(sent: GraphQLInputObjectType, taken: GraphQLInputObjectType): readonly Obstacle[] {
  const known = sent.getFields();
  return Object.values(taken.getFields())
    .filter((field) => {
      const own = known[field.name];
      const mayBeLeftOut = own === undefined || (isNonNullType(own.type) && !isRequiredInputField(own));
      return isRequiredInputField(field) && mayBeLeftOut;
    })
    .map(({ name }) => {
      const why = known[name] === undefined ? 'nobody can send it' : 'clients may leave it out';
      return {
        coordinate: taken.name,
        message: `${taken.name}.${name} is required there, and ${why}`,
        side: 'input',
      };
    });
}

function notTaken(coordinate: string): Obstacle {
  return { coordinate, message: `clients may send ${coordinate}, which is not known there`, side: 'input' };
}
