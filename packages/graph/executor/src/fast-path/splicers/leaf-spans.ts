import type { GraphQLSchema } from 'graphql';
import { getNamedType, isObjectType } from 'graphql';

import type { SelectedField, SelectionSet } from '../../operation/selection.ts';
import { deferredParts } from '../../selections/deferred-parts.ts';
import { responseFields } from '../../selections/response-fields.ts';
import { selectedFields } from '../../selections/selected-fields.ts';
import type { SplicerSchemas } from './leaf-skipper.ts';
import type { Layout } from './layout.ts';

/** Leaves of a type that are adjacent in the response and in the client's data: one range, from the first key on. */
export interface LeafSpan {
  /** Their plan names. */
  readonly names: readonly string[];
  /** The leaf in whose slot the range is stored; no representation needs it by itself. */
  readonly keptAt: string;
  /** True when the object ends with them on both sides: the range includes its closing brace. */
  readonly endsObject: boolean;
}

export type LeafSpans = (layout: Layout, typeName: string) => readonly LeafSpan[];

/** Finds the spans of leaves in the data of an operation. */
export function findLeafSpans(
  { schema, apiSchema }: SplicerSchemas,
  rootLayout: Layout,
  { rootTypeName, selections }: { readonly rootTypeName: string; readonly selections: SelectionSet },
): LeafSpans {
  const selected = selectedAt(apiSchema, rootLayout, { typeName: rootTypeName, sets: [selections] });
  return (layout, typeName) => {
    const groups = selected.get(layout)?.flatMap((sets) => partsOf(apiSchema, sets, typeName));
    if (groups === undefined || !isObjectType(apiSchema.getType(typeName))) {
      return [];
    }
    const responses = layout.fetched.map((fetched) => [...responseFields(schema, fetched, typeName).keys()]);
    const fieldsOf = groups.map((sets) =>
      selectedFields(apiSchema, sets, typeName).map(({ field }) => field),
    );
    return fieldsOf.flatMap((fields) =>
      spansOf(
        fields,
        fieldsOf.flatMap((others) => (others === fields ? [] : others.map(({ planName }) => planName))),
        { layout, responses },
      ),
    );
  };
}

/**
 * The spans of leaves that are written together.
 *
 * @param shared the plan names of fields that are written elsewhere too
 */
function spansOf(
  fields: readonly SelectedField[],
  shared: readonly string[],
  { layout, responses }: { readonly layout: Layout; readonly responses: readonly (readonly string[])[] },
): readonly LeafSpan[] {
  const leafSpans: LeafSpan[] = [];
  let names: string[] = [];
  const endRun = (endsObject: boolean): void => {
    const keptAt = names.find((name) => !layout.required.has(name));
    if (keptAt !== undefined) {
      leafSpans.push({ names, keptAt, endsObject });
    }
    names = [];
  };
  for (const { planName, responseName, fieldName } of fields) {
    const [response, another] = responses.filter((keys) => keys.includes(planName));
    const isCutOut =
      response !== undefined &&
      another === undefined &&
      responseName === planName &&
      fieldName !== '__typename' &&
      !layout.below.has(planName) &&
      !shared.includes(planName);
    const before = names.at(-1);
    const follows = before === undefined || response?.[response.indexOf(planName) - 1] === before;
    if (!isCutOut || !follows) {
      endRun(false);
    }
    if (isCutOut) {
      names.push(planName);
    }
  }
  const last = names.at(-1);
  endRun(last !== undefined && responses.some((keys) => keys.at(-1) === last));
  return leafSpans;
}

/** The selections of an object outside its deferred fragments, then the selections of each of these. */
function partsOf(
  apiSchema: GraphQLSchema,
  sets: readonly SelectionSet[],
  typeName: string,
): readonly (readonly SelectionSet[])[] {
  const parts = deferredParts(apiSchema, sets, { place: [], typeName });
  return [sets, ...parts.flatMap((part) => partsOf(apiSchema, part.sets, typeName))];
}

/**
 * The client's selections at each place that is reached through object types alone. Below an abstract type
 * they could differ for each of its types. The selections of a deferred fragment are apart.
 */
function selectedAt(
  apiSchema: GraphQLSchema,
  root: Layout,
  {
    typeName: rootTypeName,
    sets: rootSets,
  }: { readonly typeName: string; readonly sets: readonly SelectionSet[] },
): ReadonlyMap<Layout, readonly (readonly SelectionSet[])[]> {
  const selected = new Map<Layout, (readonly SelectionSet[])[]>();
  const visit = (layout: Layout, typeName: string, sets: readonly SelectionSet[]): void => {
    selected.set(layout, [...(selected.get(layout) ?? []), sets]);
    const type = apiSchema.getType(typeName);
    if (!isObjectType(type)) {
      return;
    }
    for (const { field, below } of partsOf(apiSchema, sets, typeName).flatMap((part) =>
      selectedFields(apiSchema, part, typeName),
    )) {
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
