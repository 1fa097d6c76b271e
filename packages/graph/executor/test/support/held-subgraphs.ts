import { extendSchema, graphql, parse, validate } from 'graphql';

import type {
  ExecutionResult,
  Executor,
  ExecutorOptions,
  RunParameters,
  SubgraphResponse,
  Supergraph,
} from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import { supergraphOf } from './federation.ts';
import type { SubgraphDefinition } from './stub-subgraph.ts';
import { schemasOf } from './stub-subgraph.ts';

/** A request that waits for its response. */
export interface HeldRequest {
  readonly subgraph: string;
  readonly query: string;
  readonly signal: RunParameters['signal'];
  /** Responds, as the subgraph does or with this result. */
  respond(result?: unknown): void;
  fail(error: Error): void;
}

/** Subgraphs in this process. A test decides when each of its held subgraphs responds. */
export interface HeldSubgraphs {
  readonly supergraph: Supergraph;
  /** All requests, in order. */
  readonly requests: readonly HeldRequest[];
  /** The subgraphs whose requests wait. */
  readonly held: Set<string>;
  executor(options?: Partial<ExecutorOptions>): Executor;
  /** Runs a valid operation with `@defer`. */
  run(
    text: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: Partial<ExecutorOptions> & { readonly signal?: AbortSignal },
  ): Promise<ExecutionResult>;
  /** The next request to a subgraph that has not been returned yet. */
  next(subgraph: string): Promise<HeldRequest>;
}

const deferDirective = parse(
  'directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT',
);

export function createHeldSubgraphs(
  definitions: Readonly<Record<string, SubgraphDefinition>>,
): HeldSubgraphs {
  const loaded = supergraphOf(definitions);
  const supergraph = { ...loaded, apiSchema: extendSchema(loaded.apiSchema, deferDirective) };
  const schemas = schemasOf(definitions);
  const requests: HeldRequest[] = [];
  const held = new Set<string>();
  const returned = new Set<HeldRequest>();
  let notify = (): void => {};

  const send: ExecutorOptions['transport']['send'] = async ({ subgraph, body, signal }) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly result: unknown } | undefined>();
    const request: HeldRequest = {
      subgraph,
      query,
      signal,
      respond: (result) => resolve(result === undefined ? undefined : { result }),
      fail: reject,
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason));
    requests.push(request);
    notify();
    if (!held.has(subgraph)) {
      request.respond();
    }
    const given = await promise;
    const schema = schemas.get(subgraph);
    if (schema === undefined) {
      throw new Error(`There is no subgraph ${subgraph}`);
    }
    const result =
      given?.result ?? (await graphql({ schema, source: query, variableValues: variables ?? {} }));
    return { text: JSON.stringify(result), cacheControl: undefined } satisfies SubgraphResponse;
  };
  const executor: HeldSubgraphs['executor'] = (options = {}) =>
    createExecutor({ supergraph, transport: { send }, isDeferring: true, ...options });
  return {
    supergraph,
    requests,
    held,
    executor,
    async run(text, variables = {}, { signal = new AbortController().signal, ...options } = {}) {
      const document = parse(text);
      const [invalid] = validate(supergraph.apiSchema, document);
      if (invalid !== undefined) {
        throw invalid;
      }
      return await executor(options).prepare({ document }).run({ variables, signal });
    },
    async next(subgraph) {
      for (;;) {
        const request = requests.find((one) => one.subgraph === subgraph && !returned.has(one));
        if (request !== undefined) {
          returned.add(request);
          return request;
        }
        await new Promise<void>((resolve) => (notify = resolve));
      }
    },
  };
}

/** A part as the tests compare it. */
export interface ReadPart {
  readonly label?: string | undefined;
  readonly path: string;
  readonly data: unknown;
  readonly errors?: readonly string[];
}

/** The first result and all parts, with data parsed and errors as their paths. */
export async function readParts({ data, errors, deferred }: ExecutionResult): Promise<{
  readonly data: unknown;
  readonly errors: readonly string[];
  readonly parts: readonly ReadPart[];
}> {
  const parts: ReadPart[] = [];
  for await (const { completed } of deferred?.batches ?? []) {
    for (const { fragment, data: partData, errors: partErrors } of completed) {
      parts.push({
        ...(fragment.label !== undefined && { label: fragment.label }),
        path: fragment.path.join('.'),
        data: JSON.parse(partData),
        ...(partErrors.length > 0 && { errors: partErrors.map(({ path = [] }) => path.join('.')) }),
      });
    }
  }
  return { data: JSON.parse(data), errors: errors.map(({ path = [] }) => path.join('.')), parts };
}
