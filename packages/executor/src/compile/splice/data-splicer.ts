import type { GraphQLCompositeType, GraphQLSchema } from 'graphql';
import { getNamedType, isAbstractType, isCompositeType, isObjectType } from 'graphql';

import type { SelectionSet } from '../../operation/selection.ts';
import { giveUp } from '../../run/splice/mismatch.ts';
import {
  isWrittenBy,
  noteText,
  slotOffset,
  typeOf,
  writeNotedText,
  writeText,
} from '../../run/splice/spliced-object.ts';
import type { WriteObject } from '../../run/splice/write-objects.ts';
import { writeObjects } from '../../run/splice/write-objects.ts';
import { isOfType } from '../../supergraph/possible-types.ts';
import { selectedFields } from '../selected-fields.ts';
import type { Layout } from './layout.ts';
import type { LeafRuns } from './leaf-runs.ts';
import type { TypeNumbers } from './type-numbers.ts';

/**
 * Writes an object as the client selected it, as JSON, and gives up on one that lacks something: readers have checked the type
 * of every value, and whether it may be null.
 */
export type SpliceData = WriteObject;

interface Piece {
  /** All between the value before and this one. */
  readonly before: Buffer;
  /** Of the value, from its object. */
  readonly offset: number;
  /** Absent for a leaf. */
  readonly writeObject: SpliceData | undefined;
}

interface Pieces {
  readonly pieces: readonly Piece[];
  readonly end: Buffer;
}

export interface DataSplicerOptions {
  readonly apiSchema: GraphQLSchema;
  readonly runs: LeafRuns;
  readonly types: TypeNumbers;
  /** A number for each writer of the plan, from 1. */
  readonly nextWriter: () => number;
}

/** Creates what writes the objects at one place. What it does for one type is worked out when that type is first met. */
export function createDataSplicer(
  sets: readonly SelectionSet[],
  options: DataSplicerOptions,
  { layout, type }: { readonly layout: Layout; readonly type: GraphQLCompositeType },
): SpliceData {
  const { types } = options;
  const byType: (Pieces | undefined)[] = [];
  const isAbstract = isAbstractType(type);
  const onlyType = types.numberOf(type.name);
  const piecesFor = (objectType: number): Pieces =>
    (byType[objectType] ??= piecesOf(sets, options, {
      layout,
      type,
      typeName: types.nameOf(objectType),
    }));
  const writer = options.nextWriter();

  return (tape, object) => {
    if (isWrittenBy(tape, object, writer)) {
      writeNotedText(tape, object);
      return;
    }
    const start = tape.end;
    const { pieces, end } = piecesFor(isAbstract ? typeOf(tape, object) : onlyType);
    for (const { before, offset, writeObject } of pieces) {
      tape.write(before);
      const at = object + offset;
      if (writeObject === undefined) {
        writeText(tape, at);
      } else {
        writeObjects(tape, at, writeObject);
      }
    }
    tape.write(end);
    noteText(tape, object, writer, start, tape.end);
  };
}

function piecesOf(
  sets: readonly SelectionSet[],
  options: DataSplicerOptions,
  {
    layout,
    type,
    typeName,
  }: { readonly layout: Layout; readonly type: GraphQLCompositeType; readonly typeName: string },
): Pieces {
  const { apiSchema, runs } = options;
  const objectType = apiSchema.getType(typeName);
  if (!isObjectType(objectType) || !isOfType(apiSchema, typeName, type.name)) {
    return giveUp();
  }
  const runsHere = runs(layout, typeName);
  const pieces: Piece[] = [];
  let before = '';
  let separator = '{';
  let end = '}';
  const add = (planName: string, writeObject?: SpliceData): void => {
    const slot = layout.slots.get(planName) ?? giveUp();
    pieces.push({ before: Buffer.from(before), offset: slotOffset(slot), writeObject });
    before = '';
  };
  for (const { field, below } of selectedFields(apiSchema, sets, typeName)) {
    const { fieldName, responseName, planName } = field;
    const run = runsHere.find(({ names }) => names.includes(planName));
    if (run !== undefined) {
      if (run.names[0] === planName) {
        before += separator;
        separator = ',';
        end = run.endsObject ? '' : end;
        add(run.keptAt);
      }
      continue;
    }
    before += `${separator}${JSON.stringify(responseName)}:`;
    separator = ',';
    if (fieldName === '__typename') {
      before += JSON.stringify(typeName);
      continue;
    }
    const fieldType = getNamedType((objectType.getFields()[fieldName] ?? giveUp()).type);
    const layoutBelow = layout.below.get(planName);
    if (!isCompositeType(fieldType)) {
      add(planName);
    } else if (layoutBelow !== undefined) {
      add(planName, createDataSplicer(below, options, { layout: layoutBelow, type: fieldType }));
    }
    if (isCompositeType(fieldType) !== (layoutBelow !== undefined)) {
      return giveUp();
    }
  }
  return { pieces, end: Buffer.from(separator === '{' ? '{}' : before + end) };
}
