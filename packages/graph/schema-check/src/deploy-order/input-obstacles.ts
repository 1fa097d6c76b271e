import { namedTypeOf } from '@meridian/composition/sdl/elements';
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

import { reachableInputs } from '../changes/impact/operation-facts.ts';
import type { ForeignFetch, Obstacle } from './obstacle.ts';
import { takesValuesOf } from './obstacle.ts';

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
    const [sent, accepted] = [supergraph.schema.getType(name), subgraph.schema.getType(name)];
    if (isEnumType(sent) && isEnumType(accepted)) {
      return rejectedValues(sent, accepted);
    }
    return isInputObjectType(sent) && isInputObjectType(accepted)
      ? rejectedFields(sent, accepted, supergraph).concat(fieldsNotSent(sent, accepted))
      : [];
  });
  return [...ofTypes, ...rejectedNulls(operation, subgraph)];
}

/** A value that may not be null but has a default takes a variable that may be null, and fails for null. */
function rejectedNulls(
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

function rejectedValues(sent: GraphQLEnumType, accepted: GraphQLEnumType): readonly Obstacle[] {
  return sent
    .getValues()
    .filter(({ name }) => accepted.getValue(name) === undefined)
    .map(({ name }) => rejected(`${sent.name}.${name}`));
}

function rejectedFields(
  sent: GraphQLInputObjectType,
  accepted: GraphQLInputObjectType,
  { schema }: ForeignFetch['supergraph'],
): readonly Obstacle[] {
  const known = accepted.getFields();
  return Object.values(sent.getFields()).flatMap(({ name, type }) => {
    const coordinate = `${sent.name}.${name}`;
    const field = known[name];
    if (field === undefined) {
      return [rejected(coordinate)];
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

function fieldsNotSent(sent: GraphQLInputObjectType, accepted: GraphQLInputObjectType): readonly Obstacle[] {
  const known = sent.getFields();
  return Object.values(accepted.getFields())
    .filter((field) => {
      const own = known[field.name];
      const mayBeLeftOut = own === undefined || (isNonNullType(own.type) && !isRequiredInputField(own));
      return isRequiredInputField(field) && mayBeLeftOut;
    })
    .map(({ name }) => {
      const why = known[name] === undefined ? 'nobody can send it' : 'clients may leave it out';
      return {
        coordinate: accepted.name,
        message: `${accepted.name}.${name} is required there, and ${why}`,
        side: 'input',
      };
    });
}

function rejected(coordinate: string): Obstacle {
  return { coordinate, message: `clients may send ${coordinate}, which is not known there`, side: 'input' };
}
