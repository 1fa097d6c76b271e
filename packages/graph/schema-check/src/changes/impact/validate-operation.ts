import type { ASTVisitor, DocumentNode, GraphQLSchema, ValidationContext } from 'graphql';
import { GraphQLError, KnownTypeNamesRule, specifiedRules, validate } from 'graphql';

/** graphql-js's rule copies the names of all types for each document: in a large graph it takes most of the time. */
const rules = specifiedRules
  .map((rule) => (rule === KnownTypeNamesRule ? knownTypes : rule))
  .concat(rootTypes);

/** An operation is validated over each schema once. */
const validity = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, boolean>>();

/** True for a document without errors. */
export function isValidOperation(schema: GraphQLSchema, document: DocumentNode): boolean {
  const ofSchema = validity.get(schema) ?? new WeakMap<DocumentNode, boolean>();
  validity.set(schema, ofSchema);
  const isValid = ofSchema.get(document) ?? validate(schema, document, rules, { maxErrors: 1 }).length === 0;
  ofSchema.set(document, isValid);
  return isValid;
}

/** The errors of a document, as graphql-js words them. */
export function operationErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return isValidOperation(schema, document) ? [] : validate(schema, document, [...specifiedRules, rootTypes]);
}

/** graphql-js finds out that there is no such root type when it executes the operation. */
function rootTypes(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (!context.getSchema().getRootType(node.operation)) {
        context.reportError(
          new GraphQLError(`Schema is not configured to execute ${node.operation} operation.`, {
            nodes: node,
          }),
        );
      }
    },
  };
}

/** Rejects the same executable documents as `KnownTypeNamesRule`, without a suggestion. */
function knownTypes(context: ValidationContext): ASTVisitor {
  return {
    NamedType(node) {
      if (context.getSchema().getType(node.name.value) === undefined) {
        context.reportError(new GraphQLError(`Unknown type "${node.name.value}".`, { nodes: node }));
      }
    },
  };
}
