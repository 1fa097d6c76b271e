import type { FetchStep } from '../plan/plan.ts';
import type { FastPathPlan } from './compile-fast-path.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import { byte } from './tape/tape.ts';
import { fixedText } from './tape/fixed-text.ts';
import type { EqualTargets } from './tape/spliced-object.ts';
import { addToPlace, createEqualTargets, createObject, layOutPlaces } from './tape/spliced-object.ts';
import { bailOut } from './tape/fast-path-bailout.ts';
import type { TapePool } from './tape/tape-pool.ts';
import { stripInsignificantWhitespace } from './tape/strip-insignificant-whitespace.ts';
import { writeRepresentations } from './write-representations.ts';

/**
 * The data of a run as ranges of subgraph responses. Every method throws a `FastPathBailout` for the cases of the
 * slow path: errors, wrong values, and values in an unexpected form.
 */
export interface FastPathData {
  /** The input of a fetch in this run; undefined when there is no object to fetch for. */
  buildRequest(step: FetchStep): FetchInput | undefined;
  /** Merges the response of a sent fetch into the data. Returns its place in the memory of the run. */
  mergeResponse(step: FetchStep, response: string | Buffer): LoadedResponse;
  /** A merged response, unchanged. Valid until the end. */
  responseAt(taken: LoadedResponse): Buffer;
  /** The whole response to the client: `{"data":…}`. */
  write(): Buffer;
  /** Releases the memory of the run. Nothing may be called afterwards. */
  end(): void;
}

export interface LoadedResponse {
  readonly start: number;
  readonly end: number;
}

const resultStart = fixedText('{"data":');

export function createFastPathData(plan: FastPathPlan, tapes: TapePool): FastPathData {
  const { rootTypeNumber, rootSlots, placeCount, fetches, spliceData } = plan;
  const tape = tapes.acquire();
  layOutPlaces(tape, placeCount);
  const root = createObject(tape, rootTypeNumber, rootSlots);
  addToPlace(tape, 0, root);
  /** The targets of each sent fetch, by its number. */
  const asked: (EqualTargets | undefined)[] = [];

  return {
    buildRequest(step) {
      const fetch = fetches.get(step) ?? bailOut();
      if (fetch.spliceRepresentation === undefined) {
        asked[fetch.number] = createEqualTargets(tape, root, 0);
        return rootInput;
      }
      const representations = writeRepresentations(tape, plan, fetch);
      if (representations === undefined) {
        return undefined;
      }
      const { targets, entityCount, start } = representations;
      asked[fetch.number] = targets;
      return { representations: tape.bytes.toString('utf8', start, tape.end), entityCount };
    },
    mergeResponse(step, response) {
      const { number, spliceResponse } = fetches.get(step) ?? bailOut();
      const start = tape.end;
      tape.load(response);
      stripInsignificantWhitespace(tape);
      const end = tape.responseEnd;
      spliceResponse(tape, asked[number] ?? bailOut());
      return { start, end };
    },
    responseAt: ({ start, end }) => tape.bytes.subarray(start, end),
    write() {
      const start = tape.end;
      tape.writeFixed(resultStart);
      spliceData(tape, root);
      tape.writeByte(byte.closeBrace);
      return Buffer.from(tape.bytes.subarray(start, tape.end));
    },
    end: () => tapes.release(tape),
  };
}

const rootInput: FetchInput = { representations: undefined, entityCount: undefined };
