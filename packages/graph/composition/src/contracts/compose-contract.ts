import {
  INACCESSIBLE_VERSIONS,
  ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
  Supergraph,
  baseType,
  errorCauses,
  errorCode,
  inaccessibleIdentity,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  possibleRuntimeTypes,
  printSchema,
  tagIdentity,
} from '@apollo/federation-internals';
import type { NamedType, Schema } from '@apollo/federation-internals';

import type { Composition } from '../composition.ts';
import type { ContractFilter } from './contracts-file.ts';
import { reachableTypes } from './reachable-types.ts';

/** A part of a schema that a contract can hide. */
interface Element {
  appliedDirectivesOf(name: string): readonly { arguments(): Readonly<Record<string, unknown>> }[];
  hasAppliedDirective(name: string): boolean;
  applyDirective(name: string): unknown;
}

/**
 * Composes a contract: the supergraph in which all that the filter leaves out is `@inaccessible`. The gateway resolves
 * the same plans with it, `@key` and `@requires` included, and clients do not see what is hidden.
 *
 * The rules are Apollo's (GraphOS, "Create contracts"): a tag of a type is one of its fields too. Without included tags
 * there is everything that has no excluded tag. With some, a union and a field of an object or interface type need one
 * of them. A type is hidden with all of its fields or values, or with all types that it can be. A tag of an interface
 * object is one of the fields that it adds to the types of its interface.
 */
export function composeContract(supergraphSdl: string, filter: ContractFilter): Composition {
  const supergraph = Supergraph.build(supergraphSdl, {
    supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
  });
  const { schema } = supergraph;
  const marks = readMarks(schema);
  hide(schema, hiddenElements(schema, filter, marks));
  try {
    const shown = supergraph.apiSchema();
    if (filter.hidesUnreachable) {
      const composed = schema.directives().flatMap((directive) => {
        const types = directive.arguments().map(({ type }) => type);
        return types.flatMap((type) => (type ? baseType(type).name : []));
      });
      const reachable = reachableTypes(shown.toGraphQLJSSchema(), composed);
      const unreachable = graphTypes(schema).filter(
        (type) => !reachable.has(type.name) && !marks.tagsOf(type).some((tag) => filter.include.has(tag)),
      );
      hide(schema, unreachable);
      // It throws where what is hidden now is needed.
      supergraph.apiSchema();
    }
    return { supergraphSdl: printSchema(schema), hints: [] };
  } catch (error) {
    const causes = error instanceof Error ? errorCauses(error) : undefined;
    if (causes === undefined) {
      throw error;
    }
    return {
      errors: causes.map((cause) => ({
        code: errorCode(cause) ?? 'TO_API_SCHEMA',
        message: cause.message,
        locations: [],
      })),
    };
  }
}

/** The types of the graph, without federation's own. */
function graphTypes(schema: Schema): readonly NamedType[] {
  return schema.types().filter((type) => schema.coreFeatures?.sourceFeature(type) === undefined);
}

/** The directives of an element that a contract depends on. */
interface Marks {
  readonly tagsOf: (element: Element) => readonly string[];
  readonly isInaccessible: (element: Element) => boolean;
}

function readMarks(schema: Schema): Marks {
  const tag = schema.coreFeatures?.getByIdentity(tagIdentity)?.directiveNameInSchema('tag');
  const inaccessible = nameOfInaccessible(schema);
  return {
    tagsOf: (element) =>
      tag === undefined
        ? []
        : element.appliedDirectivesOf(tag).map((applied) => String(applied.arguments()['name'])),
    isInaccessible: (element) => inaccessible !== undefined && element.hasAppliedDirective(inaccessible),
  };
}

function nameOfInaccessible(schema: Schema): string | undefined {
  return schema.coreFeatures?.getByIdentity(inaccessibleIdentity)?.directiveNameInSchema('inaccessible');
}

/** The elements that the filter hides, each type with all that it consists of. */
function hiddenElements(
  schema: Schema,
  { include, exclude }: ContractFilter,
  { tagsOf, isInaccessible }: Marks,
): ReadonlySet<Element> {
  const hidden = new Set<Element>();
  const isHidden = (element: Element): boolean => hidden.has(element) || isInaccessible(element);
  /** @param needsTag true for an element that included tags decide about */
  const judge = (element: Element, tags: readonly string[], needsTag: boolean): void => {
    const isLeftOut = needsTag && include.size > 0 && !tags.some((tag) => include.has(tag));
    if (isLeftOut || tags.some((tag) => exclude.has(tag))) {
      hidden.add(element);
    }
  };
  const types = graphTypes(schema);
  for (const type of types) {
    const ofType = tagsOf(type);
    judge(type, ofType, isUnionType(type));
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of type.fields()) {
        const ofInterfaces = isOfInterfaceObject(field)
          ? type.interfaces().filter((one) => one.field(field.name) !== undefined)
          : [];
        judge(field, [...ofType, ...ofInterfaces.flatMap(tagsOf), ...tagsOf(field)], true);
        field.arguments().forEach((argument) => judge(argument, tagsOf(argument), false));
      }
    } else if (isInputObjectType(type)) {
      type.fields().forEach((field) => judge(field, tagsOf(field), false));
    } else if (isEnumType(type)) {
      type.values.forEach((value) => judge(value, tagsOf(value), false));
    }
  }
  const ofGraph = schema.directives().filter((one) => schema.coreFeatures?.sourceFeature(one) === undefined);
  for (const argument of ofGraph.flatMap((directive) => directive.arguments())) {
    judge(argument, tagsOf(argument), false);
  }
  const hideIfAllOf = (type: NamedType, parts: readonly Element[]): void => {
    if (parts.length > 0 && parts.every(isHidden)) {
      hidden.add(type);
    }
  };
  types.forEach((type) => hideIfAllOf(type, partsOf(type)));
  types.filter(isAbstractType).forEach((type) => hideIfAllOf(type, possibleRuntimeTypes(type)));
  return hidden;
}

/** True for a field of a type that no subgraph has there: its supergraph has it from the interface's. */
function isOfInterfaceObject(field: Element): boolean {
  return field.appliedDirectivesOf('join__field').some((join) => join.arguments()['graph'] === undefined);
}

function partsOf(type: NamedType): readonly Element[] {
  if (isEnumType(type)) {
    return type.values;
  }
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? [...type.fields()] : [];
}

function hide(schema: Schema, elements: Iterable<Element>): void {
  let name = nameOfInaccessible(schema);
  for (const element of elements) {
    if (name === undefined) {
      const spec = INACCESSIBLE_VERSIONS.latest();
      schema.coreFeatures?.coreDefinition.applyFeatureToSchema(
        schema,
        spec,
        undefined,
        spec.defaultCorePurpose,
      );
      name = nameOfInaccessible(schema) ?? 'inaccessible';
    }
    if (!element.hasAppliedDirective(name)) {
      element.applyDirective(name);
    }
  }
}
