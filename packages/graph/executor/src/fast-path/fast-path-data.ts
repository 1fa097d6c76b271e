import type { FetchStep } from '../plan/plan.ts';
import type { FastPathFetch, FastPathPart, FastPathPlan } from './compile-fast-path.ts';
import type { FoundPart } from '../selections/deferred-parts.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import type { Tape } from './tape/tape.ts';
import { byte } from './tape/tape.ts';
import { fixedText } from './tape/fixed-text.ts';
import type { EqualTargets, SplicedObject } from './tape/spliced-object.ts';
import {
  addTarget,
  addToPlace,
  createEqualTargets,
  createObject,
  firstAtPlace,
  layOutPlaces,
  nextAtSamePlace,
} from './tape/spliced-object.ts';
import { bailOut } from './tape/fast-path-bailout.ts';
import type { TapePool } from './tape/tape-pool.ts';
import { stripInsignificantWhitespace } from './tape/strip-insignificant-whitespace.ts';

export interface LoadedResponse {
  readonly start: number;
  readonly end: number;
}

/** A part of a result, and the deferred fragments that it announces. */
export interface FastPathWrittenPart {
  readonly data: string;
  readonly errors: readonly [];
  readonly found: readonly FoundPart[];
}

export function isOnTape(response: string | Buffer | LoadedResponse): response is LoadedResponse {
  return typeof response !== 'string' && !Buffer.isBuffer(response);
}

const resultStart = fixedText('{"data":');
const rootInput: FetchInput = { representations: undefined, entityCount: undefined };

/**
 * The data of a run as ranges of subgraph responses. Every method throws a `FastPathBailout` for the cases of the
 * slow path: errors, wrong values, and values in an unexpected form.
 */
export class FastPathData {
  readonly #plan: FastPathPlan;
  readonly #tapes: TapePool;
  readonly #tape: Tape;
  readonly #root: SplicedObject;
  /** The targets of each sent fetch, by its number. */
  readonly #targets: (EqualTargets | undefined)[] = [];
  /** The latest since the last response. The next fetch often has the same. */
  #latest: WrittenRepresentations | undefined;

  constructor(plan: FastPathPlan, tapes: TapePool) {
    const tape = tapes.acquire();
    layOutPlaces(tape, plan.placeCount);
    const root = createObject(tape, plan.rootTypeNumber, plan.rootSlots);
    addToPlace(tape, 0, root);
    this.#plan = plan;
    this.#tapes = tapes;
    this.#tape = tape;
    this.#root = root;
  }

  /** The input of a fetch in this run; undefined when there is no object to fetch for. */
  buildRequest(step: FetchStep): FetchInput | undefined {
    const tape = this.#tape;
    const fetch = this.#plan.fetches.get(step) ?? bailOut();
    if (fetch.spliceRepresentation === undefined) {
      this.#targets[fetch.number] = createEqualTargets(tape, this.#root, 0);
      return rootInput;
    }
    if (this.#latest?.sameAs !== fetch.sameAs) {
      this.#latest = writeRepresentations(tape, this.#plan, fetch);
    }
    this.#targets[fetch.number] = this.#latest?.targets;
    return this.#latest?.input;
  }

  /**
   * Merges the response of a sent fetch into the data, or one that was merged before. Returns its place in the memory
   * of the run.
   */
  mergeResponse(step: FetchStep, response: string | Buffer | LoadedResponse): LoadedResponse {
    const tape = this.#tape;
    const { number, spliceResponse } = this.#plan.fetches.get(step) ?? bailOut();
    this.#latest = undefined;
    const start = tape.end;
    if (isOnTape(response)) {
      tape.loadAgain(response.start, response.end);
    } else {
      tape.load(response);
      stripInsignificantWhitespace(tape);
    }
    const end = tape.responseEnd;
    spliceResponse(tape, this.#targets[number] ?? bailOut());
    return { start, end };
  }

  /** A copy of a merged response, unchanged. */
  responseAt({ start, end }: LoadedResponse): Buffer {
    return this.#tape.copyOf(start, end);
  }

  /** The whole response to the client: `{"data":…}`. */
  write(): Buffer {
    const tape = this.#tape;
    const start = tape.end;
    tape.writeFixed(resultStart);
    this.#plan.spliceData(tape, this.#root);
    tape.writeByte(byte.closeBrace);
    return tape.copyOf(start, tape.end, this.#tapes.allocateResult);
  }

  /** The first result of a plan with deferred fragments. */
  first(): FastPathWrittenPart {
    const { spliceData: splice, deferral = bailOut() } = this.#plan;
    return this.#writePart({ splice, find: deferral.findFirst }, this.#root, []);
  }

  /** The fields of a deferred fragment that was found here. */
  part({ part, fragment, object }: FoundPart): FastPathWrittenPart {
    return this.#writePart((this.#plan.deferral ?? bailOut()).of(part), object, [...fragment.path]);
  }

  /** @param path of the object */
  #writePart(
    { splice, find }: FastPathPart,
    object: SplicedObject,
    path: (string | number)[],
  ): FastPathWrittenPart {
    const tape = this.#tape;
    const start = tape.end;
    splice(tape, object);
    const data = tape.bytes.toString('utf8', start, tape.end);
    const found: FoundPart[] = [];
    find(tape, object, path, found);
    return { data, errors: [], found };
  }

  /** Releases the memory of the run. Nothing may be called afterwards. */
  end(): void {
    this.#tapes.release(this.#tape);
  }
}

/** The representations of a fetch, and of those after it with the same `sameAs`. */
interface WrittenRepresentations extends Pick<FastPathFetch, 'sameAs'> {
  readonly input: FetchInput;
  /** Of the first representation. */
  readonly targets: EqualTargets;
}

/** Writes the representations of a fetch's objects, each different one once; undefined if there are none. */
function writeRepresentations(
  tape: Tape,
  { placeCount }: Pick<FastPathPlan, 'placeCount'>,
  { number, place, sameAs, spliceRepresentation }: FastPathFetch,
): WrittenRepresentations | undefined {
  const { equals, end: start } = tape;
  // Up to the number of places, these are the texts of the objects there.
  const scope = placeCount + 1 + number;
  let targets: EqualTargets = 0;
  let last: EqualTargets = 0;
  let entityCount = 0;
  for (let object = firstAtPlace(tape, place); object !== 0; object = nextAtSamePlace(tape, object)) {
    const ownStart = tape.end;
    const written = spliceRepresentation?.(tape, object);
    if (written === undefined) {
      continue;
    }
    const entry = written === 'unique' ? undefined : equals.entryOf(tape.view, scope, ownStart, tape.end);
    const known = entry === undefined ? 0 : equals.valueAt(entry);
    if (known !== 0) {
      addTarget(tape, known, object);
      tape.end = ownStart;
      continue;
    }
    last = createEqualTargets(tape, object, last);
    targets ||= last;
    entityCount += 1;
    if (entry !== undefined) {
      equals.setValueAt(entry, last);
    }
    tape.writeByte(byte.comma);
  }
  if (entityCount === 0) {
    return undefined;
  }
  // There is no comma after the last one.
  tape.end -= 1;
  const representations = tape.bytes.toString('utf8', start, tape.end);
  return { sameAs, input: { representations, entityCount }, targets };
}
