// The judge of objects whose interface no type implements yet. One schema over all the data needs a type for them, of
// which no client may learn the name.
import type { DocumentNode, GraphQLFieldResolver, GraphQLSchema, GraphQLTypeResolver } from 'graphql';
import { Kind, TypeInfo, extendSchema, parse, printType, visit, visitWithTypeInfo } from 'graphql';

const typeOfJudge = 'MediaOfNoType';
const unknownName = 'unknownName';

export interface Judge {
  readonly schema: GraphQLSchema;
  /** The operation for that schema: in place of `__typename` it has a field that fails. */
  readonly documentOf: (document: DocumentNode) => DocumentNode;
  readonly fieldResolver: GraphQLFieldResolver<unknown, unknown>;
  readonly typeResolver: GraphQLTypeResolver<unknown, unknown>;
}

/** The judge of an API schema whose interface `Media` has no types. */
export function judgeOfUntypedMedia(
  apiSchema: GraphQLSchema,
  { fieldResolver, typeResolver }: Pick<Judge, 'fieldResolver' | 'typeResolver'>,
): Judge {
  const media = apiSchema.getType('Media');
  if (media === undefined) {
    throw new Error('There is no Media');
  }
  const declared = printType(media).replace('interface Media', `type ${typeOfJudge} implements Media`);
  const added = ['extend interface Media', `extend type ${typeOfJudge}`].map(
    (extended) => `${extended} { ${unknownName}: String! }`,
  );
  const schema = extendSchema(apiSchema, parse([declared, ...added].join('\n')));
  return {
    schema,
    documentOf(document) {
      const types = new TypeInfo(schema);
      return visit(
        document,
        visitWithTypeInfo(types, {
          Field(node) {
            const isUnknown = node.name.value === '__typename' && types.getParentType()?.name === 'Media';
            return isUnknown
              ? { ...node, alias: node.alias ?? node.name, name: { kind: Kind.NAME, value: unknownName } }
              : undefined;
          },
        }),
      );
    },
    fieldResolver(source, args, context, info) {
      if (info.fieldName === unknownName) {
        throw new Error('The type is not known');
      }
      return fieldResolver(source, args, context, info);
    },
    typeResolver(...inputs) {
      const name = typeResolver(...inputs);
      return name === 'Media' ? typeOfJudge : name;
    },
  };
}
