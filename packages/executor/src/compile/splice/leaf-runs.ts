import type { GraphQLSchema } from 'graphql';
import { getNamedType, isObjectType } from 'graphql';

import type { SelectionSet } from '../../operation/selection.ts';
import { answeredFields } from '../answered-fields.ts';
import { selectedFields } from '../selected-fields.ts';
import type { SplicedSchemas } from './leaf-skipper.ts';
import type { Layout } from './layout.ts';

/**
 * The leaves of a type that follow each other in an answer as they do in the data that the client gets: by the plan name of the
 * first, the plan names of all. They are one piece, with the keys between them, and it is kept in the place of the first.
 */
export type LeafRuns = (layout: Layout, typeName: string) => ReadonlyMap<string, readonly string[]>;

/** Finds the runs of leaves in the data of an operation. */
export function findLeafRuns(
  { schema, apiSchema }: SplicedSchemas,
  rootLayout: Layout,
  { rootTypeName, selections }: { readonly rootTypeName: string; readonly selections: SelectionSet },
): LeafRuns {
  const selected = selectedAt(apiSchema, rootLayout, { typeName: rootTypeName, sets: [selections] });
  return (layout, typeName) => {
    const sets = selected.get(layout);
    const runs = new Map<string, readonly string[]>();
    if (sets === undefined || !isObjectType(apiSchema.getType(typeName))) {
      return runs;
    }
    const answers = layout.brought.map((brought) => [...answeredFields(schema, brought, typeName).keys()]);
    let run: string[] = [];
    const endRun = (): void => {
      const [first] = run;
      if (first !== undefined && run.length > 1) {
        runs.set(first, run);
      }
      run = [];
    };
    for (const { field } of selectedFields(apiSchema, sets, typeName)) {
      const name = field.planName;
      const [answer, another] = answers.filter((keys) => keys.includes(name));
      const isCutOut =
        answer !== undefined &&
        another === undefined &&
        field.responseName === name &&
        field.fieldName !== '__typename' &&
        !layout.below.has(name);
      const last = run.at(-1);
      const follows = last === undefined || answer?.[answer.indexOf(name) - 1] === last;
      if (!isCutOut || !follows) {
        endRun();
      }
      // The place of the first is taken, so that nobody else may want it.
      if (isCutOut && (run.length > 0 || !layout.required.has(name))) {
        run.push(name);
      }
    }
    endRun();
    return runs;
  };
}

/**
 * What the client selected at each place that is reached through object types alone. Behind an abstract type it could be
 * something else for each of its types.
 */
function selectedAt(
  apiSchema: GraphQLSchema,
  root: Layout,
  {
    typeName: rootTypeName,
    sets: rootSets,
  }: { readonly typeName: string; readonly sets: readonly SelectionSet[] },
): ReadonlyMap<Layout, readonly SelectionSet[]> {
  const selected = new Map<Layout, readonly SelectionSet[]>();
  const visit = (layout: Layout, typeName: string, sets: readonly SelectionSet[]): void => {
    selected.set(layout, sets);
    const type = apiSchema.getType(typeName);
    if (!isObjectType(type)) {
      return;
    }
    for (const { field, below } of selectedFields(apiSchema, sets, typeName)) {
      const definition = type.getFields()[field.fieldName];
      const layoutBelow = layout.below.get(field.planName);
      if (definition !== undefined && layoutBelow !== undefined) {
        visit(layoutBelow, getNamedType(definition.type).name, below);
      }
    }
  };
  visit(root, rootTypeName, rootSets);
  return selected;
}
