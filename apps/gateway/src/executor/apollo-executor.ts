import process from 'node:process';

import type { GraphQLDataSource } from '@apollo/gateway';
import { ApolloGateway } from '@apollo/gateway';
import type {
  ExecutionError,
  ReportedError,
  ResponsePath,
  SubgraphTransport,
  SubrequestError,
  Supergraph,
} from '@meridian/executor';
import {
  OperationError,
  SubgraphFailure,
  readRefused,
  readResponse,
  responseNameOf,
  supergraphFault,
} from '@meridian/executor';
import type { JsonBounds } from '@meridian/json';
import type { ArgumentNode, GraphQLError, SelectionSetNode } from 'graphql';
import { Kind, OperationTypeNode, print, visit } from 'graphql';

import type { Run } from '../operation/run.ts';
import type { ClosableExecutor, ExecutorParts } from './executor.ts';

/**
 * Creates an executor over stock `@apollo/gateway`, with the parts of the supergraph that it understands and this
 * gateway's transport to the subgraphs.
 *
 * @throws {SupergraphError} where the package refuses the supergraph
 */
export async function createApolloExecutor(options: ExecutorParts): Promise<ClosableExecutor> {
  const { supergraph, transport, responseBounds } = options;
  // The package's information is a detail of this gateway.
  const logger = options.logger.child({}, { level: 'warn' });
  // The package sends telemetry to its maker unless this says otherwise when the gateway is created.
  process.env['APOLLO_TELEMETRY_DISABLED'] = '1';
  const gateway = new ApolloGateway({
    supergraphSdl: withoutRefusedLinks(supergraph),
    buildService: ({ name }) => createSubgraphDataSource(name, transport, responseBounds),
    queryPlannerConfig: { exposeDocumentNodeInFetchNode: true, reuseQueryFragments: false },
    // The supergraph was validated when it was loaded.
    validateSupergraph: false,
    __exposeQueryPlanExperimental: false,
    logger,
  });
  const { schema, executor } = await gateway.load().catch((error: unknown) => {
    throw supergraphFault(error);
  });
  return {
    prepare: ({ document, name }) => ({
      async run(run: Run) {
        const notes: RunNotes = { run, cacheControl: [], lookups: [] };
        const request = {
          request: { variables: { ...run.variables }, ...(name !== undefined && { operationName: name }) },
          document,
          operationName: name ?? null,
          queryHash: run.operation.key,
          context: { notes },
          metrics: {},
          schema,
          logger,
        };
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of it is Apollo Server's, and is not read
        const result = await executor(request as object as Parameters<typeof executor>[0]);
        // The package continues after a failed fetch, even when it failed because the client hung up.
        run.signal.throwIfAborted();
        const { data = null, errors = [], extensions } = result;
        return {
          data: JSON.stringify(data),
          errors: [...errors.map(errorOf), ...violationsIn(data, extensions?.['valueCompletion'], notes)],
          cacheControl: notes.cacheControl,
        };
      },
      // The package plans an operation only when it runs it.
      plan: () => Promise.resolve(undefined),
      subscribe: refuse,
    }),
    close: () => gateway.stop(),
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new OperationError('meridian.executor: apollo does not run subscriptions'));
}

/** A run, and what its data sources note. */
interface RunNotes {
  readonly run: Run;
  readonly cacheControl: string[];
  /** The look-ups of entities, of which some are missing. In a path, `@` is for the items of a list. */
  readonly lookups: { readonly path: ResponsePath; readonly isMissing: readonly boolean[] }[];
}

/** The fault of a fetch, in the extensions of an error: `@apollo/gateway` keeps it, and computes its path in the data. */
type FetchFault = SubrequestError | ReportedError;

/**
 * Sends the fetches of a plan to one subgraph, over this gateway's transport: `RemoteGraphQLDataSource` has neither
 * a timeout nor a size limit, and puts URLs and bodies into errors.
 */
function createSubgraphDataSource(
  subgraph: string,
  transport: SubgraphTransport<Run>,
  bounds: JsonBounds,
): GraphQLDataSource {
  return {
    async process(processing) {
      const { query, variables, operationName } = processing.request;
      const { run, cacheControl, lookups }: RunNotes = processing.context['notes'];
      const operation = ('document' in processing ? processing.document : undefined)?.definitions.find(
        (definition) => definition.kind === Kind.OPERATION_DEFINITION,
      );
      // Only a fetch that is certainly a query may be sent twice.
      const operationKind = operation?.operation === OperationTypeNode.QUERY ? 'query' : 'mutation';
      const [field] = operation?.selectionSet.selections ?? [];
      const ofEntities =
        field?.kind === Kind.FIELD && field.name.value === '_entities' ? field.selectionSet : undefined;
      const representations: readonly Entity[] | undefined = ofEntities && variables?.['representations'];
      const entityCount = representations?.length;
      // The fields that are empty when the fetch fails.
      const places =
        representations?.flatMap(({ __typename }, index) => {
          const own = namesIn(ofEntities, __typename);
          // A fragment on an interface names no type that a representation has.
          const names = own.length > 0 ? own : namesIn(ofEntities);
          return names.map((name): ResponsePath => ['_entities', index, name]);
        }) ?? namesIn(operation?.selectionSet).map((name) => [name]);
      const resultOf = ({ data, errors }: ReturnType<typeof readResponse>) => {
        const empty = places.filter((place) => (valueAt(data, place) ?? null) === null);
        const reported = errors.flatMap(({ message, extensions, path }) =>
          errorsAt(path === undefined ? empty : [path], { kind: 'reported', subgraph, message, extensions }),
        );
        return { data, errors: reported };
      };
      const rules = { bounds, numbers: 'double' } as const;
      const observed = run.observer?.onFetch({
        step: undefined,
        subgraph,
        operationKind,
        operationName,
        entityCount,
      });
      try {
        const body = JSON.stringify({ query, variables, operationName });
        const headers = { ...run.headersFor?.(subgraph), ...observed?.headers };
        const { signal } = run;
        const sent = await transport.send({ subgraph, operationKind, body, headers, signal, run });
        const response = readResponse(sent.text, entityCount, rules);
        observed?.onResponse(response.errors.length);
        if (sent.cacheControl !== undefined) {
          cacheControl.push(sent.cacheControl);
        }
        if (response.entities.includes(null) && 'pathInIncomingRequest' in processing) {
          const isMissing = response.entities.map((entity) => entity === null);
          lookups.push({ path: processing.pathInIncomingRequest ?? [], isMissing });
        }
        return resultOf(response);
      } catch (error) {
        observed?.onFailure(error);
        if (!(error instanceof SubgraphFailure)) {
          throw error;
        }
        const failure = { kind: 'subrequest', code: error.code, subgraph, cause: error } as const;
        const refused = readRefused(error, entityCount, rules);
        if (refused === undefined) {
          return { errors: errorsAt(places, failure) };
        }
        const { data, errors } = resultOf(refused);
        return { data, errors: [...errors, ...errorsAt([], failure)] };
      }
    },
  };
}

type Entity = Readonly<Record<string, unknown>>;

/** An error at each place; one without a path where there is no place. */
function errorsAt(places: readonly ResponsePath[], fault: FetchFault) {
  const error = { message: fault.kind, extensions: { fault } };
  return places.length === 0 ? [error] : places.map((path) => ({ ...error, path }));
}

/** The response names of the fields for a type, or for all. The planner writes no named fragments. */
function namesIn(set: SelectionSetNode | undefined, typeName?: unknown): readonly string[] {
  const names = (set?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = selection.typeCondition?.name.value ?? typeName;
      return typeName === undefined || condition === typeName
        ? namesIn(selection.selectionSet, typeName)
        : [];
    }
    // The planner renames fields of one name with other arguments; their results get the name back.
    return selection.kind === Kind.FIELD ? [responseNameOf(selection).replace(/__alias_\d+$/u, '')] : [];
  });
  return [...new Set(names)].filter((name) => name !== '__typename');
}

/** Undefined where no object or list has the place. */
function valueAt(data: unknown, path: ResponsePath): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    data,
  );
}

function errorOf(error: Pick<GraphQLError, 'path' | 'extensions'>): ExecutionError {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `errorsAt` put it there
  const fault = error.extensions['fault'] as FetchFault | undefined;
  return { ...(fault ?? { kind: 'internal', cause: error }), ...(error.path && { path: error.path }) };
}

/**
 * The nulls in non-null places, which the package only notes: a client could not tell them from values. A missing
 * entity is not an error if its place is nullable.
 *
 * Spec: Execution rules, rules 4 and 10.
 */
function violationsIn(
  data: unknown,
  noted: readonly Pick<GraphQLError, 'path'>[] = [],
  { lookups }: RunNotes,
): readonly ExecutionError[] {
  return noted.flatMap((cause): ExecutionError[] => {
    const entity = cause.path?.slice(0, -1) ?? [];
    const pattern = entity.map((key) => (typeof key === 'number' ? '@' : key)).join();
    const isMissing = lookups.some((lookup) => {
      const places = placesAt(data, lookup.path).map(String);
      // As many places as look-ups: all were looked up. Else a null is taken for a missing entity.
      const isOneOfAll = places.length === lookup.isMissing.length;
      return (
        lookup.path.join() === pattern &&
        (!isOneOfAll || lookup.isMissing[places.indexOf(String(entity))] === true)
      );
    });
    const path = isMissing ? entity : cause.path;
    return isMissing && valueAt(data, entity) === null
      ? []
      : [{ kind: 'subrequest', code: 'SUBREQUEST_MALFORMED_RESPONSE', cause, ...(path && { path }) }];
  });
}

/** The places at a path with `@`, null ones included. */
function placesAt(value: unknown, [key, ...rest]: ResponsePath): readonly ResponsePath[] {
  if (key === undefined) {
    return [[]];
  }
  const items = Array.isArray(value) ? [...value.keys()] : [];
  const keys: ResponsePath = key === '@' ? items : [key];
  return keys.flatMap((one) =>
    placesAt(valueAt(value, [one]), rest).map((below): ResponsePath => [one].concat(below)),
  );
}

/** Features that the package supports, and those that it must see to reject them because it cannot run them. */
const known = /^https:\/\/specs\.apollo\.dev\/(?:core|link|join|tag|inaccessible|context|connect)\/v[\d.]+$/u;

/** The supergraph without the links that the package rejects: of security, which the pipeline enforces first. */
export function withoutRefusedLinks({ document }: Supergraph): string {
  return print(
    visit(document, {
      Directive: ({ name, arguments: given = [] }) =>
        /^(?:link|core)$/u.test(name.value) && !given.every(isKnown) ? null : undefined,
    }),
  );
}

function isKnown({ name, value }: ArgumentNode): boolean {
  const isUrl = name.value === 'url' || name.value === 'feature';
  return !isUrl || (value.kind === Kind.STRING && known.test(value.value));
}
