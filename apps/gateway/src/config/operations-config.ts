import type { RouterConfig } from '@meridian/router-config';

/** The compilation of operations: its rules, and how many compiled operations are kept. */
export interface OperationsConfig {
  readonly rules: OperationRules;
  /** The number of operations that are kept compiled. */
  readonly cached: number;
  /** The number of recently used operations that are planned before a new supergraph takes over. */
  readonly warmed: number;
  /** The length of a list whose length no directive gives. */
  readonly assumedListSize: number;
}

/** Rules that depend on nothing but the text of an operation. */
export interface OperationRules {
  /** The length of a document, in characters. */
  readonly maxLength: number;
  readonly maxTokens: number;
  /** The deepest nesting of brackets. */
  readonly maxRecursion: number;
  readonly isNameRequired: boolean;
  readonly isIntrospectionAllowed: boolean;
  readonly documents: DocumentLimits;
  readonly sizes: SizeLimits;
}

export interface DocumentLimits {
  readonly maxOperations: number;
  readonly maxFragments: number;
  /** In one selection set. */
  readonly maxSelections: number;
}

/** The bounds on operations; an absent one does not bound. */
export interface SizeLimits {
  readonly maxDepth: number | undefined;
  readonly maxHeight: number | undefined;
  readonly maxAliases: number | undefined;
  readonly maxRootFields: number | undefined;
  /** The depth of an operation that selects only the schema. */
  readonly introspectionMaxDepth: number;
}

/** Router's default for lists, where demand control is off and sets none. */
const defaultListSize = 10;

export function operationsConfig(file: RouterConfig): OperationsConfig {
  const { cache, warmed_up_queries } = file.supergraph.query_planning;
  const { limit } = cache.in_memory;
  return {
    rules: operationRules(file),
    cached: limit,
    warmed: warmed_up_queries ?? Math.floor(limit / 3),
    assumedListSize: file.demand_control.strategy?.static_estimated.list_size ?? defaultListSize,
  };
}

function operationRules({ limits, meridian, supergraph }: RouterConfig): OperationRules {
  return {
    maxLength: meridian.limits.max_document_length,
    maxTokens: limits.parser_max_tokens,
    maxRecursion: limits.parser_max_recursion,
    isNameRequired: meridian.operations.require_name,
    isIntrospectionAllowed: supergraph.introspection,
    documents: {
      maxOperations: meridian.limits.max_operations,
      maxFragments: meridian.limits.max_fragments,
      maxSelections: meridian.limits.max_selections,
    },
    sizes: {
      maxDepth: limits.max_depth,
      maxAliases: limits.max_aliases,
      maxHeight: limits.max_height,
      maxRootFields: limits.max_root_fields,
      introspectionMaxDepth: meridian.limits.introspection_max_depth,
    },
  };
}
