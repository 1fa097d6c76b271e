import type { ASTNode, ConstDirectiveNode, DocumentNode, GraphQLSchema, GraphQLType } from 'graphql';
import { TypeInfo, isInterfaceType, isObjectType, visit, visitWithTypeInfo } from 'graphql';

import { parseFieldSet } from '../supergraph/field-set.ts';
import { contextArguments, stringArgument } from '../supergraph/join-directives.ts';
import { typesAround } from '../supergraph/schema-types.ts';

/** The part of a supergraph that labels are found in. */
interface LabelledSupergraph {
  readonly schema: GraphQLSchema;
  /** Of its progressive overrides. */
  readonly overrideLabels: ReadonlySet<string>;
}

/** The labels of progressive overrides that a document's plans depend on. */
export interface Labels {
  readonly names: readonly string[];
  /**
   * Those that are set in one run: the given ones, and each `percent(n)` in n of 100 runs.
   *
   * @param random from 0, below 1
   */
  setIn(given: ReadonlySet<string> | undefined, random: () => number): readonly string[];
}

interface Label {
  readonly name: string;
  /** Undefined for one that only the caller sets. */
  readonly percent: number | undefined;
}

const none: readonly string[] = [];
const noLabels: Labels = { names: none, setIn: () => none };

/**
 * Finds the labels of the fields that plans of a document fetch: those that it selects, and those that these, or the keys
 * of their entities, need. The others are never set for it, and do not multiply its plans.
 */
export function findLabels(document: DocumentNode, { schema, overrideLabels }: LabelledSupergraph): Labels {
  const found = overrideLabels.size === 0 ? undefined : labelsIn(document, schema);
  if (found === undefined || found.size === 0) {
    return noLabels;
  }
  // In the supergraph's order: keys of plans hold them.
  const labels = [...overrideLabels]
    .filter((name) => found.has(name))
    .map((name): Label => ({ name, percent: percentOf(name) }));
  return {
    names: labels.map(({ name }) => name),
    setIn: (given, random) =>
      labels
        .filter(
          ({ name, percent }) =>
            given?.has(name) === true || (percent !== undefined && random() * 100 < percent),
        )
        .map(({ name }) => name),
  };
}

function labelsIn(document: DocumentNode, schema: GraphQLSchema): ReadonlySet<string> {
  const labels = new Set<string>();
  const seen = new Set<string>();
  const addFieldsOf = (node: ASTNode, at?: GraphQLType): void => {
    const types = new TypeInfo(schema, at);
    const add = (name: string, parent = types.getParentType()): void => {
      for (const type of parent ? typesAround(schema, parent.name) : []) {
        addField(type, name);
      }
    };
    visit(node, visitWithTypeInfo(types, { Field: ({ name }) => add(name.value) }));
  };
  const addField = (typeName: string, name: string): void => {
    const type = schema.getType(typeName);
    if (seen.has(`${typeName}.${name}`) || !(isObjectType(type) || isInterfaceType(type))) {
      return;
    }
    seen.add(`${typeName}.${name}`);
    for (const directive of type.getFields()[name]?.astNode?.directives ?? []) {
      const label = stringArgument(directive, 'overrideLabel');
      if (label !== undefined && directive.name.value === 'join__field') {
        labels.add(label);
      }
      inputsOf(directive, schema).forEach(({ set, at = type }) => addFieldsOf(parseFieldSet(set), at));
    }
    if (!seen.has(typeName)) {
      seen.add(typeName);
      const keys = (type.astNode?.directives ?? []).flatMap((join) => stringArgument(join, 'key') ?? []);
      keys.forEach((key) => addFieldsOf(parseFieldSet(key), type));
    }
  };
  addFieldsOf(document);
  return labels;
}

/** The fields that a field needs: of its own object, or of those that set a context. */
function inputsOf(
  directive: ConstDirectiveNode,
  schema: GraphQLSchema,
): readonly { readonly set: string; readonly at?: GraphQLType }[] {
  const required = stringArgument(directive, 'requires');
  const ofContexts = contextArguments(directive).flatMap(({ context, selection }) =>
    Object.values(schema.getTypeMap())
      .filter(({ astNode }) =>
        astNode?.directives?.some(
          (one) => one.name.value === 'context' && stringArgument(one, 'name') === context,
        ),
      )
      .map((at) => ({ set: selection, at })),
  );
  return required === undefined ? ofContexts : [{ set: required }, ...ofContexts];
}

/** The percentage of a label `percent(n)`; undefined for other labels. Composition refuses other ways to write one. */
export function percentOf(label: string): number | undefined {
  const percent = /^percent\((\d+(?:\.\d+)?)\)$/u.exec(label)?.[1];
  return percent === undefined ? undefined : Number(percent);
}
