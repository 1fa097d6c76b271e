import type { ExecutionError, PreparedOperation, RunParameters } from '../../src/index.ts';
import { OperationError } from '../../src/index.ts';
import { rewritten } from '../support/exact-json.ts';
import type { RecordingTransport } from './faulty-transport.ts';

/** The outcome of a run, for comparison. */
export interface Outcome {
  /** As JSON: the order of the keys counts. */
  readonly data: string;
  /** Path and code of each error, sorted. */
  readonly errors: readonly string[];
  /** Each different request to a subgraph, sorted. */
  readonly requests: readonly string[];
}

/** Runs an operation. One that cannot be planned has an outcome, too. */
export async function outcomeOf(
  prepared: PreparedOperation,
  { variables, overrideLabels }: Pick<RunParameters, 'variables' | 'overrideLabels'>,
  transport: RecordingTransport,
): Promise<Outcome> {
  try {
    const { data, errors } = await prepared.run({
      variables,
      overrideLabels,
      headersFor: () => ({}),
      signal: new AbortController().signal,
    });
    return {
      data: rewritten(data),
      errors: errors.map(describeError).toSorted(),
      requests: [...transport.requests].toSorted(),
    };
  } catch (error) {
    if (!(error instanceof OperationError)) {
      throw error;
    }
    return { data: `refused: ${error.message}`, errors: [], requests: [] };
  }
}

export function describeError(error: ExecutionError): string {
  const path = (error.path ?? ['no path']).join('.');
  if (error.kind === 'subrequest') {
    return `${path} ${error.code} ${error.subgraph ?? ''}`;
  }
  return error.kind === 'reported'
    ? `${path} ${error.subgraph}: ${error.message} ${String(error.extensions['code'])}`
    : `${path} ${error.kind}`;
}

/** In what two outcomes differ; undefined where they do not. */
export function differenceOf(one: Outcome, other: Outcome): string | undefined {
  if (one.data !== other.data) {
    return `data\n  ${one.data}\n  ${other.data}`;
  }
  for (const part of ['errors', 'requests'] as const) {
    if (one[part].join('\n') !== other[part].join('\n')) {
      const missing = one[part].filter((text) => !other[part].includes(text));
      const added = other[part].filter((text) => !one[part].includes(text));
      return [
        part,
        ...missing.map((text) => `  - ${text}`),
        ...added.map((text) => `  + ${text}`),
        `  ${one[part].length} and ${other[part].length}`,
      ].join('\n');
    }
  }
  return undefined;
}
