import type { DocumentNode, FieldNode } from 'graphql';
import { visit } from 'graphql';

import { canonicalArguments, responseNameOf } from './graphql-document.ts';

/** The names of a client's fields in the plan. */
export interface PlanNames {
  of(node: FieldNode): string;
}

/** The names of a supergraph that have a meaning to its planner. */
export interface KnownNames {
  /** The names of all fields of all types. */
  readonly fields: ReadonlySet<string>;
  /** The fields that the planner itself selects, for keys and `@requires`. */
  readonly selectedByPlanner: ReadonlySet<string>;
  /** The fields with `@requires`, or an argument from a context. */
  readonly withInputs: ReadonlySet<string>;
  /** The prefix of generated names: no field's name starts with it. */
  readonly privatePrefix: string;
}

/**
 * Creates the plan names of the operations of a document. The planner merges by response name alone, together with
 * the fields that keys and `@requires` need: a client's alias `id` for another field would become the key of the
 * entity. So in its input, a response name determines the field and its arguments, and no alias is the name of a
 * field. A private name replaces a client's response name that breaks this, one for each response name, field and
 * list of arguments. Fields with different response names are never merged: a mutation that is written twice is meant
 * to run twice.
 */
export function createPlanNames(document: DocumentNode, known: KnownNames): PlanNames {
  const meanings = meaningsOf(document);
  const privateNames = new Map<string, string>();

  const isKept = (node: FieldNode, responseName: string): boolean => {
    if (node.name.value === responseName) {
      return (
        hasNoArguments(node) ||
        (meanings.get(responseName)?.size === 1 && !known.selectedByPlanner.has(responseName))
      );
    }
    return (
      meanings.get(responseName)?.size === 1 && !known.fields.has(responseName) && !/^_|__/.test(responseName)
    );
  };
  return {
    of(node) {
      const responseName = responseNameOf(node);
      if (node.name.value === '__typename') {
        return '__typename';
      }
      if (isKept(node, responseName)) {
        return responseName;
      }
      const key = `${responseName}:${meaningOf(node)}`;
      const name = privateNames.get(key) ?? `${known.privatePrefix}${privateNames.size}`;
      privateNames.set(key, name);
      return name;
    },
  };
}

/** The fields that each response name refers to, anywhere in a document. */
function meaningsOf(document: DocumentNode): ReadonlyMap<string, ReadonlySet<string>> {
  const meanings = new Map<string, Set<string>>();
  visit(document, {
    Field(node) {
      const responseName = responseNameOf(node);
      const found = meanings.get(responseName) ?? new Set();
      meanings.set(responseName, found.add(meaningOf(node)));
    },
  });
  return meanings;
}

function meaningOf({ name, arguments: nodes = [] }: FieldNode): string {
  return `${name.value}(${canonicalArguments(nodes)})`;
}

function hasNoArguments({ arguments: nodes = [] }: FieldNode): boolean {
  return nodes.length === 0;
}
