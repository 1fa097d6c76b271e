import type { Supergraph } from '@meridian/executor';
import type { ListedOperation } from '@meridian/manifest';
import { ManifestError, readManifest } from '@meridian/manifest';
import { GraphQLError, Source, parse, validate } from 'graphql';

import { readFacts } from '../changes/impact/operation-facts.ts';
import type { DeprecatedElement, DeprecatedUse } from '../deprecations/deprecated-elements.ts';
import { deprecatedUses } from '../deprecations/deprecated-elements.ts';
import type { OperationJudgement } from '../plans/figures.ts';

/** A manifest file, checked. */
export interface CheckedManifest {
  readonly file: string;
  readonly operations: readonly CheckedOperation[];
  /** The reason why it cannot be read. */
  readonly fault?: string;
}

export interface CheckedOperation extends ListedOperation {
  /** A text for each reason why it cannot run. */
  readonly faults: readonly string[];
  /** Absent where it is not valid for the schema. */
  readonly judgement: OperationJudgement | undefined;
  readonly deprecated: readonly DeprecatedUse[];
}

/** Everything that a check of operations depends on. */
export interface ManifestGrounds {
  readonly graph: Pick<Supergraph, 'apiSchema'>;
  readonly deprecated: readonly DeprecatedElement[];
  readonly judge: (text: string) => OperationJudgement;
}

/** Checks the operations of a file: each fits the schema and the limits. */
export function checkManifest(file: string, grounds: ManifestGrounds): CheckedManifest {
  try {
    const { operations } = readManifest(file);
    return { file, operations: operations.map((operation) => checkOperation(operation, grounds)) };
  } catch (error) {
    if (error instanceof ManifestError) {
      return { file, operations: [], fault: error.message };
    }
    throw error;
  }
}

function checkOperation(
  operation: ListedOperation,
  { graph: { apiSchema }, deprecated, judge }: ManifestGrounds,
): CheckedOperation {
  const { name, text } = operation;
  try {
    const document = parse(new Source(text, name));
    const errors = validate(apiSchema, document);
    if (errors.length === 0) {
      const judgement = judge(text);
      return {
        ...operation,
        faults: judgement.rejections.map(({ code, message }) => `${message} (${code})`),
        judgement,
        deprecated: deprecated.length === 0 ? [] : deprecatedUses(readFacts(apiSchema, document), deprecated),
      };
    }
    return invalid(operation, errors);
  } catch (error) {
    if (error instanceof GraphQLError) {
      return invalid(operation, [error]);
    }
    throw error;
  }
}

function invalid(operation: ListedOperation, errors: readonly GraphQLError[]): CheckedOperation {
  return {
    ...operation,
    faults: errors.map((error) => error.toString()),
    judgement: undefined,
    deprecated: [],
  };
}
