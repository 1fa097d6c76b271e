// Places the errors of a fetch in the response. An error of an entity concerns each object that shared its
// representation. A failed fetch concerns each field that it was to supply. An error without a path concerns
// each field that is missing.
import type { CompiledFetch } from './compile-fetch.ts';
import type { ObjectReader } from './object-reader.ts';
import type { DataObject, JsonObject } from './data.ts';
import type { ExecutionError, ReportedError, ResponsePath, SubrequestError } from '../result.ts';
import type { SubgraphFailure } from '../transport/subgraph-failure.ts';
import { maxPlacesOfFetch, repeatedError } from './error-bounds.ts';
import { commonPath } from './find-targets.ts';
import type { FetchResponse } from './read-response.ts';
import type { EntityBatch, RunState } from './run-state.ts';

/** A place of an error: a path in the data of an object that a fetch is for. */
interface Place {
  readonly target: DataObject;
  readonly below: ResponsePath;
}

/** An error and its place. */
interface Note {
  readonly error: SubrequestError | ReportedError;
  readonly places: readonly Place[];
}

/** Records that a fetch failed: an error for each place that stays empty, up to a limit. */
export function recordFailure(
  failure: SubgraphFailure,
  fetch: CompiledFetch,
  batch: EntityBatch,
  state: RunState,
): void {
  const { subgraph } = fetch.step;
  const error: SubrequestError = { kind: 'subrequest', code: failure.code, subgraph, cause: failure };
  const { places, isAll } = firstOf(emptyPlaces(fetch, batch, nothingBrought), maxPlacesOfFetch);
  noteAll([{ error, places }], fetch, state);
  if (!isAll) {
    noteAtCommonPlace(error, fetch, state);
  }
}

/** Records that a fetch failed whose errors and data are recorded too. */
export function recordFailureOnce(failure: SubgraphFailure, fetch: CompiledFetch, state: RunState): void {
  const { subgraph } = fetch.step;
  noteAtCommonPlace({ kind: 'subrequest', code: failure.code, subgraph, cause: failure }, fetch, state);
}

/** Records the errors that a subgraph reported, up to a limit. */
export function recordReceivedErrors(
  { data, entities, errors }: FetchResponse,
  fetch: CompiledFetch,
  batch: EntityBatch,
  state: RunState,
): void {
  if (errors.length === 0) {
    return;
  }
  const { subgraph } = fetch.step;
  const fetchedFor = (index: number): JsonObject | null | undefined =>
    batch.representations === undefined ? data : entities[index];
  const notes: Note[] = [];
  let left = maxPlacesOfFetch;
  let isAll = true;
  let orphans: FoundPlaces | undefined;
  for (const { message, extensions, path } of errors) {
    if (left === 0) {
      isAll = false;
      break;
    }
    let found = placesOf(path, fetch, batch, left);
    if (found === undefined) {
      // The first error without a path explains all empty places. Another one adds nothing, and takes one place.
      found = orphans && { places: orphans.places.slice(0, 1), isAll: true };
      found ??= orphans = firstOf(orphanPlaces(fetch, batch, fetchedFor), left);
    }
    notes.push({ error: { kind: 'reported', subgraph, message, extensions }, places: found.places });
    left -= found.places.length;
    isAll &&= found.isAll;
  }
  noteAll(notes, fetch, state);
  if (!isAll) {
    noteAtCommonPlace({ kind: 'omitted', subgraph }, fetch, state);
  }
}

/** The data of a response for the target with an index. */
type FetchedFor = (index: number) => JsonObject | null | undefined;

const nothingBrought: FetchedFor = () => undefined;

interface FoundPlaces {
  readonly places: readonly Place[];
  /** True when there are no more. */
  readonly isAll: boolean;
}

function firstOf(places: Iterable<Place>, max: number): FoundPlaces {
  const first: Place[] = [];
  for (const place of places) {
    if (first.length === max) {
      return { places: first, isAll: false };
    }
    first.push(place);
  }
  return { places: first, isAll: true };
}

/** The places of an error without a path: the missing fields or, if none is missing, the targets. */
function* orphanPlaces(fetch: CompiledFetch, batch: EntityBatch, fetchedFor: FetchedFor): Iterable<Place> {
  let isAnyEmpty = false;
  for (const place of emptyPlaces(fetch, batch, fetchedFor)) {
    isAnyEmpty = true;
    yield place;
  }
  if (!isAnyEmpty) {
    for (const target of batch.targets.values().flatMap((same) => same)) {
      yield { target, below: [] };
    }
  }
}

/** The places in the data of a path in a response; undefined without a path, or if it leads nowhere. */
function placesOf(
  path: ResponsePath | undefined,
  { reader }: CompiledFetch,
  { representations, targets }: EntityBatch,
  max: number,
): FoundPlaces | undefined {
  if (path === undefined) {
    return undefined;
  }
  const isOfEntity = representations !== undefined;
  const [key, index] = path;
  if (!isOfEntity && (typeof key !== 'string' || reader.follow('', key) === undefined)) {
    return undefined;
  }
  const concerned = isOfEntity ? (typeof index === 'number' ? targets[index] : undefined) : targets[0];
  const below = isOfEntity ? path.slice(2) : path;
  const placeOf = (target: DataObject): Place => ({
    target,
    below: dataPath(below, reader, typeNameOf(target)),
  });
  return concerned && firstOf(concerned.values().map(placeOf), max);
}

/** The path in the data for a path in a response. Below an abstract type the response's own names are used. */
function dataPath(path: ResponsePath, reader: ObjectReader, typeName: string): ResponsePath {
  let current: ObjectReader | undefined = reader;
  let currentType = typeName;
  return path.map((key) => {
    if (typeof key === 'number') {
      return key;
    }
    const followed: ReturnType<ObjectReader['follow']> = current?.follow(currentType, key);
    current = followed?.below;
    currentType = '';
    return followed?.name ?? key;
  });
}

function* emptyPlaces(
  { step, reader }: CompiledFetch,
  { targets }: EntityBatch,
  fetchedFor: FetchedFor,
): Iterable<Place> {
  const rootType = step.requires === undefined ? reader.staticType : undefined;
  for (const [index, same] of targets.entries()) {
    const fetched = fetchedFor(index) ?? undefined;
    for (const target of same) {
      for (const name of reader.namesFor(rootType ?? typeNameOf(target), fetched)) {
        yield { target, below: [name] };
      }
    }
  }
}

function typeNameOf({ __typename }: DataObject): string {
  return typeof __typename === 'string' ? __typename : '';
}

/** Records each error once for each of its places that the client knows. */
function noteAll(
  notes: readonly Note[],
  fetch: CompiledFetch,
  { errors, targetPaths, clientPath }: RunState,
): void {
  if (errors.isFull) {
    notes.slice(0, 1).forEach(({ error }) => errors.note(error));
    return;
  }
  const wanted = new Set(notes.flatMap(({ places }) => places.map(({ target }) => target)));
  const paths = targetPaths.of(fetch, wanted);
  for (const { error, places } of notes) {
    const noted = new Set<string>();
    // In the order of the response: equal entities share a representation, wherever they are.
    const placed = places
      .map(({ target, below }) => ({ to: paths.get(target) ?? [], below }))
      .toSorted((one, other) => compareIndexes(one.to, other.to));
    for (const { to, below } of placed) {
      const path = clientPath([...to, ...below]);
      const key = JSON.stringify(path);
      if (!noted.has(key)) {
        errors.note(withPath(noted.size === 0 ? error : repeatedError(error), path));
        noted.add(key);
      }
    }
  }
}

/** Compares two paths that differ in the indexes of lists only. */
function compareIndexes(one: ResponsePath, other: ResponsePath): number {
  const depth = one.findIndex((key, index) => key !== other[index]);
  const [key, otherKey] = [one[depth], other[depth]];
  return typeof key === 'number' && typeof otherKey === 'number' ? key - otherKey : 0;
}

function noteAtCommonPlace(
  error: ExecutionError,
  { step }: CompiledFetch,
  { data, errors, clientPath }: RunState,
): void {
  errors.note(withPath(error, clientPath(commonPath(data, step.path))));
}

function withPath(error: ExecutionError, path: ResponsePath): ExecutionError {
  return path.length === 0 ? error : { ...error, path };
}
