import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';

const deferName = 'defer';

const deferDirective = new GraphQLDirective({
  name: deferName,
  description: 'Sends the fields of this fragment in a later part of the response.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    label: { type: GraphQLString, description: 'Names the part. It must be unique in the operation.' },
    if: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: true, description: 'Deferred if true.' },
  },
});

const extended = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** An API schema with `@defer`, which graphql-js 16 does not have. The same one for the same schema. */
export function withDefer(apiSchema: GraphQLSchema): GraphQLSchema {
  if (apiSchema.getDirective(deferName)) {
    return apiSchema;
  }
  const known = extended.get(apiSchema);
  if (known !== undefined) {
    return known;
  }
  const config = apiSchema.toConfig();
  const schema = new GraphQLSchema({
    ...config,
    directives: [...config.directives, deferDirective],
    assumeValid: true,
  });
  extended.set(apiSchema, schema);
  return schema;
}
