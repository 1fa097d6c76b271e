import type { CompiledFetch } from '../../compile/compile-fetch.ts';
import type { CompiledSplicing, SplicedFetch } from '../../compile/splice/compile-splicing.ts';
import type { Question } from '../question.ts';
import type { Cursor, ObjectIndex } from './cursor.ts';
import { giveUp } from './cursor.ts';
import type { ReadableAnswer } from './readable-answer.ts';
import { readableAnswer } from './readable-answer.ts';
import { SplicedObject } from './spliced-object.ts';
import type { SplicedValue } from './spliced-object.ts';

/**
 * The data of a run as pieces of the answers that brought it. All of it throws a `Mismatch` for what it leaves to the plain data:
 * errors, entities that are missing, values that are wrong, or that are only written in another way than expected.
 */
export interface SplicedData {
  /** What a fetch asks now; undefined where there is nothing that it is for. */
  ask(fetch: CompiledFetch): Question | undefined;
  /** Brings the answer to a fetch that has asked into the data. */
  take(fetch: CompiledFetch, text: string | Buffer): void;
  /** The data as JSON, a character for each byte of its UTF-8. */
  write(): string;
}

/** The objects that share a representation. */
type Equals = [SplicedObject, ...SplicedObject[]];

export function createSplicedData(splicing: CompiledSplicing): SplicedData {
  const { rootTypeName, rootSlots, placeCount, fetches, spliceData } = splicing;
  const root = new SplicedObject(rootTypeName, Array.from<SplicedValue>({ length: rootSlots }));
  const atPlace: SplicedObject[][] = Array.from({ length: placeCount }, () => []);
  const byText = Array.from({ length: placeCount }, () => new Map<string, SplicedObject>());
  atPlace[0]?.push(root);
  const objects: ObjectIndex = { atPlace, byText };
  /** Equal fetches have one. */
  const answers = new Map<string | Buffer, ReadableAnswer>();
  const asked = new Map<CompiledFetch, readonly Equals[]>();

  return {
    ask(fetch) {
      const spliced = fetches.get(fetch.step) ?? giveUp();
      const targets = atPlace[spliced.place] ?? [];
      if (spliced.spliceRepresentation === undefined) {
        asked.set(fetch, [[root]]);
        return rootQuestion;
      }
      const byRepresentation = groupByRepresentation(spliced, targets);
      if (byRepresentation.size === 0) {
        return undefined;
      }
      asked.set(fetch, [...byRepresentation.values()]);
      const representations = decoded([...byRepresentation.keys()].join(','));
      return { representations, entityCount: byRepresentation.size };
    },
    take(fetch, text) {
      const { spliceAnswer } = fetches.get(fetch.step) ?? giveUp();
      const answer = answers.get(text) ?? readableAnswer(text);
      answers.set(text, answer);
      const cursor: Cursor = { ...answer, position: 0, objects };
      spliceAnswer(cursor, asked.get(fetch) ?? giveUp());
    },
    write: () => spliceData(root),
  };
}

const rootQuestion: Question = { representations: undefined, entityCount: undefined };

function groupByRepresentation(
  { types, spliceRepresentation }: SplicedFetch,
  targets: readonly SplicedObject[],
): ReadonlyMap<string, Equals> {
  const groups = new Map<string, Equals>();
  for (const target of targets) {
    if (types !== undefined && !types.includes(target.typeName)) {
      continue;
    }
    const representation = spliceRepresentation?.(target);
    if (representation === undefined) {
      continue;
    }
    const equals = groups.get(representation);
    if (equals === undefined) {
      groups.set(representation, [target]);
    } else {
      equals.push(target);
    }
  }
  return groups;
}

/** The text of bytes of which each was one character. */
function decoded(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'latin1').toString() : text;
}
