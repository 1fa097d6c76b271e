import type { ASTVisitor, DirectiveNode, ValidationContext, ValidationRule } from 'graphql';
import { GraphQLError, Kind, OperationTypeNode } from 'graphql';

/**
 * The rules of graphql-js 17 for `@defer`: `DeferStreamDirectiveLabelRule`, `DeferStreamDirectiveOnRootFieldRule` and
 * `DeferStreamDirectiveOnValidOperationsRule`.
 */
export const deferRules: readonly ValidationRule[] = [checkLabels, checkRootTypes, checkSubscriptions];

/** A label is a text, not a variable, and names one fragment. */
function checkLabels(context: ValidationContext): ASTVisitor {
  const known = new Map<string, DirectiveNode>();
  return {
    Directive(node) {
      const label = isDefer(node) ? argumentOf(node, 'label') : undefined;
      if (label === undefined || label.kind === Kind.NULL) {
        return;
      }
      if (label.kind !== Kind.STRING) {
        report(context, 'The label of @defer must be a text, not a variable', node);
        return;
      }
      const other = known.get(label.value);
      if (other !== undefined) {
        report(context, `The label "${label.value}" of @defer is not unique`, other, node);
      }
      known.set(label.value, node);
    },
  };
}

/** Root fields of a mutation run one after another, and a subscription has one. */
function checkRootTypes(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();
  const excluded = [schema.getMutationType(), schema.getSubscriptionType()];
  return {
    Directive(node) {
      const parent = isDefer(node) ? context.getParentType() : undefined;
      if (parent !== undefined && parent !== null && excluded.some((type) => type === parent)) {
        report(context, `@defer cannot be used on the root type ${parent.name}`, node);
      }
    },
  };
}

/** A subscription defers nothing. A fragment that a query shares with it may have a condition. */
function checkSubscriptions(context: ValidationContext): ASTVisitor {
  const ofSubscriptions = new Set<string>();
  for (const definition of context.getDocument().definitions) {
    if (
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.operation === OperationTypeNode.SUBSCRIPTION
    ) {
      ofSubscriptions.add('');
      for (const { name } of context.getRecursivelyReferencedFragments(definition)) {
        ofSubscriptions.add(name.value);
      }
    }
  }
  return ofSubscriptions.size === 0
    ? {}
    : {
        Directive(node, _key, _parent, _path, ancestors) {
          const definition = ancestors[2];
          const place =
            definition !== undefined && 'kind' in definition && definition.kind === Kind.FRAGMENT_DEFINITION
              ? definition.name.value
              : '';
          const condition = isDefer(node) ? argumentOf(node, 'if') : undefined;
          const isOff =
            condition?.kind === Kind.VARIABLE || (condition?.kind === Kind.BOOLEAN && !condition.value);
          if (isDefer(node) && !isOff && ofSubscriptions.has(place)) {
            report(context, '@defer cannot be used in a subscription', node);
          }
        },
      };
}

function isDefer({ name }: DirectiveNode): boolean {
  return name.value === 'defer';
}

function argumentOf({ arguments: given = [] }: DirectiveNode, name: string) {
  return given.find((argument) => argument.name.value === name)?.value;
}

function report(context: ValidationContext, message: string, ...nodes: readonly DirectiveNode[]): void {
  context.reportError(new GraphQLError(message, { nodes }));
}
