import type { SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import type { SelectionSet } from '../../../src/operation/selection.ts';
import type { FetchStep } from '../../../src/plan/plan.ts';
import type {
  ExecutionError,
  OmittedErrors,
  ReportedError,
  ResponsePath,
  SubrequestError,
} from '../../../src/result.ts';
import type { RunParameters } from '../../../src/run/run-parameters.ts';
import { maxEntitiesOfFetch, tooManyEntities } from '../../../src/selections/fetch-input.ts';
import { maxPlacesOfFetch, repeatedError } from '../../../src/slow-path/error-bounds.ts';
import type { RunErrors } from '../../../src/slow-path/run-state.ts';
import type { Supergraph } from '../../../src/supergraph/load-supergraph.ts';
import { SubgraphFailure } from '../../../src/transport/subgraph-failure.ts';
import type { SubgraphTransport } from '../../../src/transport/subgraph-transport.ts';
import { clientPath } from './client-path.ts';
import type { DataObject, Target } from './data-object.ts';
import { typeNameOf } from './data-object.ts';
import { fieldsFor, mergeObject } from './merge-object.ts';
import type { Outcome } from './read-response.ts';
import { readResponse } from './read-response.ts';
import { representationOf } from './representation.ts';

/** The state that the fetches of one run share. */
export interface FetchContext {
  readonly supergraph: Supergraph;
  readonly transport: SubgraphTransport;
  readonly run: RunParameters;
  /** The client's, in whose names errors are placed. */
  readonly selections: SelectionSet;
  readonly data: DataObject;
  readonly errors: RunErrors;
  readonly cacheControl: string[];
  readonly missing: Set<DataObject>;
  /** The values of the fetch's context variables. */
  readonly contextValues: Readonly<Record<string, unknown>>;
}

/** A value of the request, and the objects that the answer to it is for. */
interface Requested {
  readonly representation: object | undefined;
  readonly targets: readonly Target[];
}

/** Runs one fetch, and brings its answer into its targets. What goes wrong is noted at each place that it concerns. */
export async function runFetch(
  step: FetchStep,
  targets: readonly Target[],
  context: FetchContext,
): Promise<void> {
  const requested = askFor(step, targets, context);
  if (requested.length === 0) {
    return;
  }
  let response: Outcome;
  try {
    if (step.requires !== undefined && requested.length > maxEntitiesOfFetch) {
      throw tooManyEntities();
    }
    response = await send(step, requested, context);
  } catch (error) {
    if (!(error instanceof SubgraphFailure)) {
      throw error;
    }
    const failure: SubrequestError = {
      kind: 'subrequest',
      code: error.code,
      subgraph: step.subgraph,
      cause: error,
    };
    const refused = readRequestError(error, step.requires && requested.length);
    if (refused !== undefined) {
      noteAll(responseNotes(step, requested, refused, context), omitted(step), step, context);
      const place = clientPath(commonPath(context.data, step), context.selections);
      context.errors.note(withPath(failure, place));
      merge(step, requested, refused, context);
      return;
    }
    noteAll([{ error: failure, places: emptyPlaces(step, requested, [], context) }], failure, step, context);
    return;
  }
  noteAll(responseNotes(step, requested, response, context), omitted(step), step, context);
  merge(step, requested, response, context);
}

function askFor(
  step: FetchStep,
  targets: readonly Target[],
  { supergraph }: FetchContext,
): readonly Requested[] {
  if (step.requires === undefined) {
    return targets.length === 0 ? [] : [{ representation: undefined, targets }];
  }
  const byText = new Map<string, { representation: object; targets: Target[] }>();
  for (const target of targets) {
    const representation = representationOf(target.object, step, supergraph);
    if (representation === undefined) {
      continue;
    }
    const text = JSON.stringify(representation);
    const equal = byText.get(text) ?? { representation, targets: [] };
    equal.targets.push(target);
    byText.set(text, equal);
  }
  return [...byText.values()];
}

async function send(
  step: FetchStep,
  requested: readonly Requested[],
  context: FetchContext,
): Promise<Outcome> {
  const { subgraph, operationKind, operationName, text: query } = step;
  const { variables: values, headersFor, signal } = context.run;
  const variables = Object.fromEntries<unknown>(
    step.variables
      .filter(({ clientName }) => Object.hasOwn(values, clientName))
      .map(({ name, clientName }) => [name, values[clientName]]),
  );
  const representations = step.requires && requested.map(({ representation }) => representation);
  const { text, cacheControl } = await context.transport.send({
    subgraph,
    operationKind,
    body: JSON.stringify({
      query,
      operationName,
      variables: { ...variables, ...context.contextValues, ...(representations && { representations }) },
    }),
    headers: headersFor?.(subgraph) ?? {},
    signal,
    run: context.run,
  });
  const response = readResponse(text, representations?.length);
  if (cacheControl !== undefined) {
    context.cacheControl.push(cacheControl);
  }
  return response;
}

/** The answer in the body of a refusal; undefined where it has none. */
function readRequestError(
  { body = nothing }: SubgraphFailure,
  entityCount: number | undefined,
): Outcome | undefined {
  try {
    return readResponse(body, entityCount);
  } catch {
    return undefined;
  }
}

const nothing = Buffer.alloc(0);

function merge(
  step: FetchStep,
  requested: readonly Requested[],
  { objects }: Outcome,
  context: FetchContext,
): void {
  const { schema } = context.supergraph;
  requested.forEach(({ targets }, index) => {
    const source = objects[index];
    for (const { object } of targets) {
      if (source !== null && source !== undefined) {
        const knownType = typeNameOf(object) ?? rootTypeName(step, context);
        mergeObject(source, object, { schema, sets: responseSets(step), knownType, names: dataNames(step) });
      } else if (source === null) {
        context.missing.add(object);
      }
    }
  });
}

/** The names in the data of fields that have another one in the answer. */
function dataNames({ renames }: FetchStep): ReadonlyMap<string, string> {
  return new Map(renames.map(({ from, to }) => [from, to]));
}

/** The selections of the fetch on the root, or on each entity. */
function responseSets({ document, requires }: FetchStep): readonly SelectionSetNode[] {
  const sets = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.selectionSet] : [],
  );
  return requires === undefined
    ? sets
    : sets.flatMap(({ selections }) =>
        selections.flatMap((field) =>
          field.kind === Kind.FIELD && field.selectionSet ? [field.selectionSet] : [],
        ),
      );
}

function rootTypeName({ operationKind, requires }: FetchStep, { supergraph }: FetchContext): string {
  const { schema } = supergraph;
  const type = operationKind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return requires === undefined ? (type?.name ?? '') : '';
}

/**
 * The places that an error of no place concerns: what the answer does not bring or, where it brings all, the targets.
 */
function orphanPlaces(
  step: FetchStep,
  requested: readonly Requested[],
  { objects }: Outcome,
  context: FetchContext,
): readonly ResponsePath[] {
  const empty = emptyPlaces(step, requested, objects, context);
  return empty.length > 0 ? empty : requested.flatMap(({ targets }) => targets.map(({ path }) => path));
}

/** Each place that stays empty when the fetch brings nothing but these objects. */
function emptyPlaces(
  step: FetchStep,
  requested: readonly Requested[],
  objects: Outcome['objects'],
  context: FetchContext,
): readonly ResponsePath[] {
  const { schema } = context.supergraph;
  const names = dataNames(step);
  return requested.flatMap(({ targets }, index) =>
    targets.flatMap(({ object, path }) => {
      const typeName = rootTypeName(step, context) || (typeNameOf(object) ?? '');
      const fetched = new Map(Object.entries(objects[index] ?? {}));
      return [...fieldsFor(schema, responseSets(step), typeName).keys()]
        .filter((key) => key !== '__typename' && (fetched.get(key) ?? null) === null)
        .map((key) => path.concat(names.get(key) ?? key));
    }),
  );
}

/** The places in the data of a path in the answer; undefined where it leads to none. */
function placesOf(
  responsePath: ResponsePath,
  step: FetchStep,
  requested: readonly Requested[],
  context: FetchContext,
): readonly ResponsePath[] | undefined {
  const names = dataNames(step);
  const inData = (path: ResponsePath): ResponsePath =>
    path.map((key) => (typeof key === 'string' ? (names.get(key) ?? key) : key));
  const [key, index, ...below] = responsePath;
  if (step.requires === undefined) {
    const selected = fieldsFor(context.supergraph.schema, responseSets(step), rootTypeName(step, context));
    return typeof key === 'string' && selected.has(key)
      ? requested.flatMap(({ targets }) => targets).map(({ path }) => path.concat(inData(responsePath)))
      : undefined;
  }
  const concerned = typeof index === 'number' ? requested[index] : undefined;
  return concerned?.targets.map(({ path }) => path.concat(inData(below)));
}

/** An error, and the places in the data that it concerns. */
interface Note {
  readonly error: SubrequestError | ReportedError;
  readonly places: readonly ResponsePath[];
}

/** The errors of an answer. The first of no place concerns all that is empty, another one only the first such place. */
function responseNotes(
  step: FetchStep,
  requested: readonly Requested[],
  response: Outcome,
  context: FetchContext,
): readonly Note[] {
  const orphaned = orphanPlaces(step, requested, response, context);
  let hasOrphan = false;
  return response.errors.map(({ path, message, extensions }) => {
    let places = path && placesOf(path, step, requested, context);
    if (places === undefined) {
      places = hasOrphan ? orphaned.slice(0, 1) : orphaned;
      hasOrphan = true;
    }
    return { error: { kind: 'reported', subgraph: step.subgraph, message, extensions }, places };
  });
}

function omitted({ subgraph }: FetchStep): OmittedErrors {
  return { kind: 'omitted', subgraph };
}

/** Notes each error once at each of the places that the client knows. Of very many, the rest stands as one error. */
function noteAll(
  notes: readonly Note[],
  rest: SubrequestError | OmittedErrors,
  step: FetchStep,
  { errors, selections, data }: FetchContext,
): void {
  let left = maxPlacesOfFetch;
  let isAll = true;
  for (const { error, places } of notes) {
    const noted = places.slice(0, left);
    isAll &&= noted.length === places.length && left > 0;
    left -= noted.length;
    const paths = new Map(
      noted.map((place) => clientPath(place, selections)).map((path) => [JSON.stringify(path), path]),
    );
    for (const [index, path] of [...paths.values()].entries()) {
      errors.note(withPath(index === 0 ? error : repeatedError(error), path));
    }
  }
  if (!isAll) {
    errors.note(withPath(rest, clientPath(commonPath(data, step), selections)));
  }
}

function withPath(error: ExecutionError, path: ResponsePath): ExecutionError {
  return path.length === 0 ? error : { ...error, path };
}

/** The place that all objects at the path of a fetch have in common. */
function commonPath(data: DataObject, { path }: FetchStep): ResponsePath {
  const names = path.map(({ name }) => name).filter((name) => name !== '');
  const values = names.map((_name, index) => valueAt(data, names.slice(0, index)));
  const last = values.findIndex((value) => !(value instanceof Map));
  return last === -1 ? names : names.slice(0, last);
}

function valueAt(data: DataObject, names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => (value instanceof Map ? value.get(name) : undefined), data);
}
