import type {
  ExecutionResult,
  Executor,
  ExecutorOptions,
  PreparedOperation,
  RunParameters,
  SubgraphRequest,
} from '../../src/index.ts';
import { SubgraphFailure, createExecutor } from '../../src/index.ts';
import { isRawNumber, parseRaw } from '../support/exact-json.ts';
import type { SubgraphCall } from './federation-under-test.ts';

export type CreateExecutor = (options: ExecutorOptions) => Executor;

/** The executor with one thing wrong, by the name of that. */
export const mutants: ReadonlyMap<string, CreateExecutor> = new Map<string, CreateExecutor>([
  ['errors are lost', withResult((result) => ({ ...result, errors: [] }))],
  [
    'an error is reported twice',
    withResult((result) => ({ ...result, errors: [...result.errors, ...result.errors.slice(0, 1)] })),
  ],
  [
    'each subrequest error has one code',
    withResult((result) => ({
      ...result,
      errors: result.errors.map((error) =>
        error.kind === 'subrequest' ? { ...error, code: 'SUBREQUEST_HTTP_ERROR' } : error,
      ),
    })),
  ],
  [
    "the indexes of an error are the first item's",
    withResult((result) => ({
      ...result,
      errors: result.errors.map((error) =>
        error.path === undefined
          ? error
          : { ...error, path: error.path.map((key) => (typeof key === 'number' ? 0 : key)) },
      ),
    })),
  ],
  [
    'any error nulls the root',
    withResult((result) => (result.errors.length > 0 ? { ...result, data: 'null' } : result)),
  ],
  ['the keys are in alphabetical order', withData((value) => (isObject(value) ? sorted(value) : value))],
  [
    '0, false and "" become null',
    withData((value) => (value === 0 || value === false || value === '' ? null : value)),
  ],
  [
    'lists lose their last item',
    withData((value) => (Array.isArray(value) && value.length > 2 ? value.slice(0, -1) : value)),
  ],
  [
    'quotes are dropped from text',
    withData((value) => (typeof value === 'string' ? value.replaceAll('"', '') : value)),
  ],
  ['numbers are doubles', withData((value) => (isRawNumber(value) ? Number(JSON.stringify(value)) : value))],
  [
    'the numbers of a request are doubles',
    withCall((call) => JSON.parse(JSON.stringify(call)) as SubgraphCall),
  ],
  [
    'variables are not sent',
    withCall((call) => ({
      ...call,
      variables:
        call.variables?.['representations'] === undefined
          ? {}
          : { representations: call.variables['representations'] },
    })),
  ],
  ['labels are not set', withRun(({ overrideLabels: _none, ...run }) => run)],
  [
    'an argument from a context is null',
    withCall((call) => ({ ...call, variables: withNullContexts(call.variables ?? {}) })),
  ],
  ['the input of @requires is null', withRepresentations((representation) => withNullInputs(representation))],
  [
    'representations have no __typename of an interface object',
    withRepresentations((representation) => renamed(representation)),
  ],
  ['entities are taken in reverse', withEntities((entities) => entities.toReversed())],
  ['the last entity is taken for all', withEntities((entities) => entities.map(() => entities.at(-1)))],
  ['a failed fetch is an empty one', withEmptyFailures],
]);

export function withResult(change: (result: ExecutionResult) => ExecutionResult): CreateExecutor {
  return withPrepared((prepared) => ({ ...prepared, run: async (run) => change(await prepared.run(run)) }));
}

function withRun(change: (run: RunParameters) => RunParameters): CreateExecutor {
  return withPrepared((prepared) => ({ ...prepared, run: (run) => prepared.run(change(run)) }));
}

function withPrepared(change: (prepared: PreparedOperation) => PreparedOperation): CreateExecutor {
  return (options) => {
    const executor = createExecutor(options);
    return { ...executor, prepare: (operation) => change(executor.prepare(operation)) };
  };
}

function withData(change: (value: unknown) => unknown): CreateExecutor {
  return withResult((result) => ({
    ...result,
    data: JSON.stringify(changed(parseRaw(result.data), change)),
  }));
}

/** As a reviver changes values: those below first. */
function changed(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    return change(value.map((item: unknown) => changed(item, change)));
  }
  return change(
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member, change)]))
      : value,
  );
}

function withCall(change: (call: SubgraphCall) => SubgraphCall): CreateExecutor {
  return ({ transport, ...options }) =>
    createExecutor({
      ...options,
      transport: {
        send: (request: SubgraphRequest) =>
          transport.send({
            ...request,
            body: JSON.stringify(change(parseRaw(request.body) as SubgraphCall)),
          }),
      },
    });
}

function withRepresentations(change: (representation: JsonRecord) => unknown): CreateExecutor {
  return withCall((call) => {
    const representations = call.variables?.['representations'];
    return Array.isArray(representations)
      ? { ...call, variables: { ...call.variables, representations: representations.map(change) } }
      : call;
  });
}

function withEntities(change: (entities: readonly unknown[]) => readonly unknown[]): CreateExecutor {
  return ({ transport, ...options }) =>
    createExecutor({
      ...options,
      transport: {
        async send(request) {
          const response = await transport.send(request);
          const text = response.text
            .toString()
            .replace(
              /^(\{"data":\{"_entities":)(\[.*\])(\}\})$/s,
              (_all, head: string, list: string, tail: string) =>
                [head, JSON.stringify(change(parseRaw(list) as unknown[])), tail].join(''),
            );
          return { ...response, text };
        },
      },
    });
}

function withEmptyFailures({ transport, ...options }: ExecutorOptions): Executor {
  return createExecutor({
    ...options,
    transport: {
      send: (request) =>
        transport.send(request).catch((error: unknown) => {
          if (!(error instanceof SubgraphFailure)) {
            throw error;
          }
          return { text: '{"data":{}}', cacheControl: undefined };
        }),
    },
  });
}

/** The planner calls the variables of such arguments so. */
function withNullContexts(variables: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, name.startsWith('contextual') ? null : value]),
  );
}

function withNullInputs(representation: JsonRecord): JsonRecord {
  const keys = new Set(['__typename', 'id', 'sku', 'region', 'ref', 'serial', 'tag', 'one', 'two']);
  return Object.fromEntries(
    Object.entries(representation).map(([name, value]) => [name, keys.has(name) ? value : null]),
  );
}

function renamed(representation: JsonRecord): JsonRecord {
  return representation['__typename'] === 'Media'
    ? { ...representation, __typename: 'Book' }
    : representation;
}

function sorted(value: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

type JsonRecord = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}
