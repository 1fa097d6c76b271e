// Where the errors of a fetch stand in the answer. An error of an entity concerns each object that shared its representation,
// a fetch that failed concerns each field that it was to bring, and an error of no place each field that was not brought.
import type { CompiledFetch } from '../compile/compile-fetch.ts';
import type { ObjectReader } from '../compile/object-reader.ts';
import type { DataObject, JsonObject } from '../data.ts';
import type { ReportedError, ResponsePath, SubrequestError } from '../result.ts';
import type { SubgraphFailure } from '../transport/subgraph-failure.ts';
import { findTargetPaths } from './find-targets.ts';
import type { Batch } from './batch.ts';
import type { FetchAnswer } from './read-answer.ts';
import type { RunState } from './run-state.ts';

/** Notes that a fetch brought nothing: an error for each place that stays empty. */
export function noteFailure(
  failure: SubgraphFailure,
  fetch: CompiledFetch,
  batch: Batch,
  state: RunState,
): void {
  const { subgraph } = fetch.step;
  noteAt(
    emptyPlaces(fetch, batch, nothingBrought, state),
    { kind: 'subrequest', code: failure.code, subgraph, cause: failure },
    state,
  );
}

/** Notes the errors that a subgraph reported. */
export function noteAnsweredErrors(
  { data, entities, errors }: FetchAnswer,
  fetch: CompiledFetch,
  batch: Batch,
  state: RunState,
): void {
  if (errors.length === 0) {
    return;
  }
  const { subgraph } = fetch.step;
  const paths = findTargetPaths(state.data, fetch.step.path);
  const broughtFor = (index: number): JsonObject | null | undefined =>
    batch.representations === undefined ? data : entities[index];
  for (const { message, extensions, path } of errors) {
    const error: ReportedError = { kind: 'reported', subgraph, message, extensions };
    const places =
      (path && placesOf(path, fetch, batch, paths)) ?? orphanPlaces(fetch, batch, broughtFor, state);
    noteAt(places, error, state);
  }
}

/** What an answer has for the targets of an index. */
type BroughtFor = (index: number) => JsonObject | null | undefined;

const nothingBrought: BroughtFor = () => undefined;

/** The places that an error of no place concerns: what was not brought or, where all of it was, the targets. */
function orphanPlaces(
  fetch: CompiledFetch,
  batch: Batch,
  broughtFor: BroughtFor,
  state: RunState,
): readonly ResponsePath[] {
  const empty = emptyPlaces(fetch, batch, broughtFor, state);
  if (empty.length > 0) {
    return empty;
  }
  const paths = findTargetPaths(state.data, fetch.step.path);
  return batch.targets.flat().map((target) => paths.get(target) ?? []);
}

/** The places in the data of a path in an answer; undefined where the path leads nowhere. */
function placesOf(
  path: ResponsePath,
  { reader }: CompiledFetch,
  { representations, targets }: Batch,
  paths: ReadonlyMap<DataObject, ResponsePath>,
): readonly ResponsePath[] | undefined {
  const isOfEntity = representations !== undefined;
  const [key, index] = path;
  if (!isOfEntity && (typeof key !== 'string' || reader.follow('', key) === undefined)) {
    return undefined;
  }
  const concerned = isOfEntity ? (typeof index === 'number' ? targets[index] : undefined) : targets[0];
  return concerned?.flatMap((target) => {
    const targetPath = paths.get(target);
    const typeName = typeof target['__typename'] === 'string' ? target['__typename'] : '';
    return targetPath === undefined
      ? []
      : [[...targetPath, ...dataPath(isOfEntity ? path.slice(2) : path, reader, typeName)]];
  });
}

/** The names in the data for a path in an answer. Below an abstract type the answer's own names stand for them. */
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

function emptyPlaces(
  { step, reader }: CompiledFetch,
  { targets }: Batch,
  broughtFor: BroughtFor,
  state: RunState,
): readonly ResponsePath[] {
  const paths = findTargetPaths(state.data, step.path);
  const rootType = step.requires === undefined ? reader.staticType : undefined;
  return targets.flatMap((same, index) =>
    same.flatMap((target) => {
      const targetPath = paths.get(target) ?? [];
      const typeName = typeof target['__typename'] === 'string' ? target['__typename'] : '';
      return reader
        .namesFor(rootType ?? typeName, broughtFor(index) ?? undefined)
        .map((name) => targetPath.concat(name));
    }),
  );
}

/** Notes an error once for each place that the client knows. */
function noteAt(
  places: readonly ResponsePath[],
  error: SubrequestError | ReportedError,
  { errors, clientPath }: RunState,
): void {
  const noted = new Set<string>();
  for (const place of places) {
    const path = clientPath(place);
    const key = JSON.stringify(path);
    if (!noted.has(key)) {
      noted.add(key);
      errors.push({ ...error, ...(path.length > 0 && { path }) });
    }
  }
}
