import type { FetchStep } from '../plan/plan.ts';
import type { FastPathPlan } from './compile-fast-path.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import { byte } from './tape/tape.ts';
import type { EqualTargets } from './tape/spliced-object.ts';
import { addToPlace, createEqualTargets, createObject, layOutPlaces } from './tape/spliced-object.ts';
import { bailOut } from './tape/fast-path-bailout.ts';
import type { TapePool } from './tape/tape-pool.ts';
import { stripInsignificantWhitespace } from './tape/strip-insignificant-whitespace.ts';
import { writeRepresentations } from './write-representations.ts';

/**
 * The data of a run as pieces of the answers that brought it. All of it throws a `FastPathBailout` for what it leaves to the slow path:
 * errors, values that are wrong, or that are only written in another way than expected.
 */
export interface FastPathData {
  /** The input of a fetch in this run; undefined when there is no object to fetch for. */
  buildRequest(step: FetchStep): FetchInput | undefined;
  /** Brings the answer to a fetch that has asked into the data; its place in the memory of the run. */
  mergeResponse(step: FetchStep, response: string | Buffer): LoadedResponse;
  /** An answer that was brought into the data, as it was. Valid until the end. */
  responseAt(taken: LoadedResponse): Buffer;
  /** The whole answer to the client: `{"data":…}`. */
  write(): Buffer;
  /** Gives the memory of the run to others. Nothing may be called from then on. */
  end(): void;
}

export interface LoadedResponse {
  readonly start: number;
  readonly end: number;
}

const resultStart = Buffer.from('{"data":');

export function createFastPathData(plan: FastPathPlan, tapes: TapePool): FastPathData {
  const { rootType, rootSlots, placeCount, fetches, spliceData } = plan;
  const tape = tapes.acquire();
  layOutPlaces(tape, placeCount);
  const root = createObject(tape, rootType, rootSlots);
  addToPlace(tape, 0, root);
  /** The targets of each fetch that has asked, by its number. */
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
      tape.write(resultStart);
      spliceData(tape, root);
      tape.writeByte(byte.closeBrace);
      return Buffer.from(tape.bytes.subarray(start, tape.end));
    },
    end: () => tapes.release(tape),
  };
}

const rootInput: FetchInput = { representations: undefined, entityCount: undefined };
