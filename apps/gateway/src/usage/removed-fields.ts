import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import { isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';

/** A field that clients can no longer use. */
export interface RemovedField {
  /** Type.field */
  readonly field: string;
  readonly wasDeprecated: boolean;
}

/** The fields of objects and interfaces that are in one schema and not in the next. */
export function removedFields(before: GraphQLSchema, after: GraphQLSchema): readonly RemovedField[] {
  const remaining = new Set(fieldsIn(after).map(({ field }) => field));
  return fieldsIn(before).filter(({ field }) => !remaining.has(field));
}

function fieldsIn(schema: GraphQLSchema): readonly RemovedField[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    fieldsOf(type).map(({ name, deprecationReason }) => ({
      field: `${type.name}.${name}`,
      wasDeprecated: typeof deprecationReason === 'string',
    })),
  );
}

interface Field {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

/** Fields of inputs are sent, not selected: their use is not recorded. */
function fieldsOf(type: GraphQLNamedType): readonly Field[] {
  const hasFields = isObjectType(type) || isInterfaceType(type);
  return hasFields && !isIntrospectionType(type) ? Object.values(type.getFields()) : [];
}
