import type { Caller } from '@meridian/auth';
import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { AdmittedOperation } from '../../operation/admitted-operation.ts';
import { operationBounds, operationBytes } from '../../operation/operation-bytes.ts';
import type { AccessRules } from '../../supergraph/access-rules.ts';
import type { Requirement } from '../../operation/requirement.ts';
import { describeRequirements } from '../../operation/requirement.ts';
import type { CompiledOperation } from '../../operation/compiled-operation.ts';
import { RequestError } from '../../errors/request-error.ts';
import { filterUnauthorizedFields, findUnauthorizedFields, pathsOf } from './filter-unauthorized-fields.ts';

export interface AccessOptions {
  readonly apiSchema: GraphQLSchema;
  readonly accessRules: AccessRules;
  /**
   * The treatment of an operation with unauthorized fields: it runs without them (`filter`), runs whole (`dry_run`), or
   * does not run.
   */
  readonly mode: 'filter' | 'dry_run' | 'reject';
  readonly cachedOperations: number;
}

/**
 * The part of an operation that a caller may see.
 *
 * @param granted further policies, for this request
 * @throws {RequestError} UNAUTHORIZED_FIELD_OR_TYPE, in the mode `reject`
 */
export type AdmitForCaller = (
  operation: CompiledOperation,
  caller: Caller | undefined,
  granted?: ReadonlySet<string>,
) => AdmittedOperation;

/**
 * Removes unauthorized fields from operations. Callers with the same unmet requirements share one result, which is
 * cached.
 */
export function createAdmitForCaller({
  apiSchema,
  accessRules,
  mode,
  cachedOperations,
}: AccessOptions): AdmitForCaller {
  const cut = new LRUCache<string, AdmittedOperation>({
    ...operationBounds(cachedOperations),
    sizeCalculation: ({ document, key }) => operationBytes(document, key),
  });
  return (operation, caller, granted) => {
    const unmet = unmetRequirements(operation.requirements, { caller, granted });
    if (unmet.length === 0) {
      return operation.whole;
    }
    const { key, name, type, document, defers } = operation;
    const unmetKeys = new Set(unmet.map((requirement) => requirement.key));
    const cutKey = `${key} without ${[...unmetKeys].join(' ')}`;
    const known = cut.get(cutKey);
    if (known !== undefined) {
      return known;
    }
    const unmetRequirementOf = (parentName: string, fieldName: string): string | undefined =>
      describeRequirements(
        accessRules(parentName, fieldName).filter((requirement) => unmetKeys.has(requirement.key)),
      );
    const found =
      mode === 'filter'
        ? { key: cutKey, ...filterUnauthorizedFields(apiSchema, document, unmetRequirementOf) }
        : { key, document, unauthorized: findUnauthorizedFields(apiSchema, document, unmetRequirementOf) };
    if (mode === 'reject') {
      throw rejection(pathsOf(found.unauthorized, maxPaths));
    }
    const admitted = { ...found, name, type, defers };
    cut.set(cutKey, admitted);
    return admitted;
  };
}

/** The most errors of a rejected request. */
const maxPaths = 100;

function rejection(paths: readonly (readonly string[])[]): RequestError {
  return new RequestError(
    'UNAUTHORIZED_FIELD_OR_TYPE',
    paths.map((path) => ({ message: 'The caller may not see this field', path })),
  );
}

/** The requirements that a caller does not meet; an anonymous caller meets none but granted policies. */
function unmetRequirements(requirements: readonly Requirement[], rights: Rights): readonly Requirement[] {
  return requirements.filter(({ of, sets }) => !sets.some((names) => holdsAll(rights, of, names)));
}

interface Rights {
  readonly caller: Caller | undefined;
  readonly granted: ReadonlySet<string> | undefined;
}

function holdsAll({ caller, granted }: Rights, of: Requirement['of'], names: readonly string[]): boolean {
  if (of === 'policies' && granted !== undefined && names.length > 0) {
    return names.every((name) => granted.has(name) || caller?.policies?.has(name) === true);
  }
  return caller !== undefined && names.every((name) => caller[of]?.has(name) === true);
}
