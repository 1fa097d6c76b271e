import { queryHash } from '@meridian/manifest';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { Kind, OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import { servesSubscriptions } from '../../config/subscriptions-config.ts';
import { requestError } from '../../errors/request-error.ts';
import type { OperationType } from '../../operation/admitted-operation.ts';
import { canonicalText } from '../../operation/canonical-text.ts';
import type { CompiledOperation } from '../../operation/compiled-operation.ts';
import { findDefers } from '../../operation/find-defers.ts';
import { operationBounds, operationBytes } from '../../operation/operation-bytes.ts';
import { measureOperation } from '../../operation/operation-size.ts';
import type { OperationSource } from '../../operation/operation-source.ts';
import { selectedFields } from '../../operation/selected-fields.ts';
import type { AccessRules } from '../../supergraph/access-rules.ts';
import type { CacheHints } from '../../supergraph/cache-hints.ts';
import { withDefer } from '../../supergraph/defer-directive.ts';
import type { FieldCosts } from '../../supergraph/field-costs.ts';
import type { PageSizes } from '../../supergraph/page-sizes.ts';
import type { Safelist } from './check-safelist.ts';
import { checkSafelist } from './check-safelist.ts';
import { checkIntrospection, checkSelections } from './check-selections.ts';
import { chooseOperation, onlyOperation } from './choose-operation.ts';
import { deduplicateLeaves } from './deduplicate-leaves.ts';
import { prepareEstimate } from './estimate-cost.ts';
import { findPageSizes, findRequirements, hintOfOperation } from './facts-of-fields.ts';
import { prepareMeasure } from './measure-cost.ts';
import type { OperationRules } from './operation-rules.ts';
import { parseOperation } from './parse-operation.ts';
import type { SizeFault } from './size-faults.ts';
import { sizeFaults, sizeRejections } from './size-faults.ts';
import { validateOperation } from './validate-operation.ts';

export interface CompileOptions {
  readonly apiSchema: GraphQLSchema;
  readonly schema: GraphQLSchema;
  readonly accessRules: AccessRules;
  readonly pageSizes: PageSizes;
  readonly fieldCosts: FieldCosts;
  readonly cacheHints: CacheHints;
  readonly assumedListSize: number;
  readonly rules: OperationRules;
  /** Absent when ad-hoc operations may run and are not logged. */
  readonly safelist?: Safelist | undefined;
  readonly cachedOperations: number;
  /** Called for each look-up in the cache of operations. */
  readonly onLookUp?: (isFound: boolean) => void;
  /** Called once with the limits that an operation exceeds, and runs all the same; it may be none. */
  readonly onOversize?: (name: string | undefined, faults: readonly SizeFault[]) => void;
}

/** Compiles an operation, or finds it in the cache. */
export type CompileOperation = (
  text: OperationSource,
  operationName: string | undefined,
) => CompiledOperation;

/**
 * Compiles operations over one supergraph. Work that depends only on the text and the name is done once and cached,
 * so that a repeated operation is neither parsed nor validated again.
 */
export function createCompiler(options: CompileOptions) {
  const { safelist, cachedOperations, onLookUp } = options;
  const compiled = new LRUCache<string, CompiledOperation>(operationBounds(cachedOperations));
  /** Rejected texts included, each of which may have megabytes. */
  const canonicalKeys = new LRUCache<string, string>({ max: cachedOperations });

  const checkListed = ({ key, isFromManifest }: OperationSource, parse: () => DocumentNode): void => {
    if (safelist !== undefined && !isFromManifest) {
      let canonicalKey = canonicalKeys.get(key);
      if (canonicalKey === undefined) {
        canonicalKey = queryHash(canonicalText(parse()));
        canonicalKeys.set(key, canonicalKey);
      }
      checkSafelist(canonicalKey, () => canonicalText(parse()), safelist);
    }
  };
  /** The latest key of each source: to put a key together, and to hash it, takes longer than to find it here. */
  const latestKeys = new WeakMap<
    OperationSource,
    { readonly name: string | undefined; readonly key: string }
  >();
  const keyFor = (source: OperationSource, name: string | undefined): string => {
    const latest = latestKeys.get(source);
    if (latest !== undefined && latest.name === name) {
      return latest.key;
    }
    const key = keyOf(source, name);
    latestKeys.set(source, { name, key });
    return key;
  };
  const compile: CompileOperation = (source, operationName) => {
    const known = compiled.get(keyFor(source, operationName));
    onLookUp?.(known !== undefined);
    if (known !== undefined) {
      checkListed(source, () => parseOperation(source.text, options.rules));
      return known;
    }
    const document = parseOperation(source.text, options.rules);
    checkListed(source, () => document);
    const operation = compileDocument(source, document, operationName, options);
    const size = operationBytes(operation.document, source.text);
    for (const name of namesFor(operation, document)) {
      compiled.set(keyOf(source, name), operation, { size });
    }
    return operation;
  };
  return {
    compile,
    /** The compiled operations in the cache, most recently used first; one may be there with its name and without. */
    recentlyUsed: (): readonly CompiledOperation[] => [...new Set(compiled.values())],
  };
}

function keyOf({ key }: OperationSource, operationName: string | undefined): string {
  return operationName === undefined ? key : `${key} ${operationName}`;
}

/** The names that select the operation in its document: the only operation of a document needs none. */
function namesFor(
  { name }: CompiledOperation,
  { definitions }: DocumentNode,
): readonly (string | undefined)[] {
  const isOnlyOne = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
  return isOnlyOne && name !== undefined ? [name, undefined] : [name];
}

function compileDocument(
  source: OperationSource,
  written: DocumentNode,
  operationName: string | undefined,
  { apiSchema: ofSupergraph, schema, rules, assumedListSize, ...supergraph }: CompileOptions,
): CompiledOperation {
  const apiSchema = rules.supergraph.defer_support ? withDefer(ofSupergraph) : ofSupergraph;
  const chosen = chooseOperation(written, operationName, rules);
  const own = onlyOperation(written, chosen, rules.meridian.limits);
  checkIntrospection(own, rules);
  // Selections count as written, duplicates included.
  const size = measureOperation(own, chosen, rules.limits.parser_max_recursion);
  const [oversize] = sizeRejections(size, rules);
  const document = deduplicateLeaves(own);
  if (oversize === undefined) {
    checkSelections(document, rules.meridian.limits.max_selections);
  }
  const definition = chooseOperation(document, operationName, rules);
  validateOperation(apiSchema, document, definition, {
    comparesFields: oversize === undefined,
    isRedacted: rules.supergraph.redact_query_validation_errors,
    nestsIntrospection: !rules.limits.introspection_max_depth,
  });
  if (oversize !== undefined) {
    throw requestError(oversize.code, oversize.message);
  }
  const name = definition.name?.value;
  if (rules.limits.warn_only) {
    supergraph.onOversize?.(name, sizeFaults(size, rules));
  }
  dropLocations(document);
  const fields = selectedFields(apiSchema, document);
  const whole = {
    key: keyOf(source, operationName),
    name,
    type: executableType(definition, rules),
    document,
    defers: findDefers(document),
  };
  return {
    ...whole,
    whole,
    source,
    definition,
    pageSizes: findPageSizes(fields, supergraph.pageSizes),
    estimateCost: prepareEstimate(document, definition, {
      schema,
      costOf: supergraph.fieldCosts,
      assumedListSize,
    }),
    measureCost: prepareMeasure(document, definition, { schema, costOf: supergraph.fieldCosts }),
    requirements: findRequirements(fields, supergraph.accessRules),
    cacheHint: hintOfOperation(fields, supergraph.cacheHints),
  };
}

/** @throws {RequestError} for a subscription where none are served, and a mutation where they are forbidden */
function executableType({ operation }: OperationDefinitionNode, rules: OperationRules): OperationType {
  if (operation === OperationTypeNode.SUBSCRIPTION && !servesSubscriptions(rules)) {
    throw requestError('GRAPHQL_VALIDATION_FAILED', 'The gateway does not run subscriptions');
  }
  if (operation === OperationTypeNode.MUTATION && rules.forbid_mutations) {
    throw requestError('MUTATION_FORBIDDEN', 'Mutations are forbidden');
  }
  return operation;
}

/**
 * Takes the locations out of a document, for the cache: the location of a node keeps all tokens of the text alive, and
 * takes more memory than the node. The document itself changes, as a copy of each node takes several times as long.
 */
function dropLocations(document: unknown): void {
  if (Array.isArray(document)) {
    document.forEach(dropLocations);
  } else if (typeof document === 'object' && document !== null) {
    if ('loc' in document) {
      document.loc = undefined;
    }
    Object.values(document).forEach(dropLocations);
  }
}
