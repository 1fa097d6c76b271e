import type { GraphQLCompositeType, GraphQLSchema } from 'graphql';
import { getNamedType, isAbstractType, isCompositeType, isObjectType } from 'graphql';

import type { SelectionSet } from '../../operation/selection.ts';
import { giveUp } from '../../run/splice/cursor.ts';
import type { SplicedValue } from '../../run/splice/spliced-object.ts';
import { SplicedObject } from '../../run/splice/spliced-object.ts';
import { isOfType } from '../../supergraph/possible-types.ts';
import { selectedFields } from '../selected-fields.ts';
import type { Layout } from './layout.ts';
import type { LeafRuns } from './leaf-runs.ts';

/**
 * Writes an object as the client selected it, as JSON, and gives up on one that lacks something: readers have checked the type
 * of every value, and whether it may be null.
 */
export type SpliceData = (object: SplicedObject) => string;

interface Piece {
  /** All between the value before and this one. */
  readonly before: string;
  readonly slot: number;
  /** Absent for a leaf. */
  readonly writeObject: SpliceData | undefined;
}

interface Pieces {
  readonly pieces: readonly Piece[];
  readonly end: string;
}

export interface DataSplicerOptions {
  readonly apiSchema: GraphQLSchema;
  readonly runs: LeafRuns;
}

/** Creates what writes the objects at one place. What it does for one type is worked out when that type is first met. */
export function createDataSplicer(
  sets: readonly SelectionSet[],
  options: DataSplicerOptions,
  { layout, type }: { readonly layout: Layout; readonly type: GraphQLCompositeType },
): SpliceData {
  const byType = new Map<string, Pieces>();
  const piecesFor = (typeName: string): Pieces => {
    const pieces = byType.get(typeName) ?? piecesOf(sets, options, { layout, type, typeName });
    byType.set(typeName, pieces);
    return pieces;
  };
  const isAbstract = isAbstractType(type);
  const writtenBy = byType;
  return (object) => {
    if (object.writtenBy === writtenBy && object.written !== undefined) {
      return object.written;
    }
    const { pieces, end } = piecesFor(isAbstract ? object.typeName : type.name);
    const { values } = object;
    let text = '';
    for (const { before, slot, writeObject } of pieces) {
      const value = values[slot];
      text += before;
      text += typeof value === 'string' ? value : writeValue(value, writeObject);
    }
    text += end;
    object.written = text;
    object.writtenBy = writtenBy;
    return text;
  };
}

function writeValue(value: SplicedValue, writeObject: SpliceData | undefined): string {
  if (value === undefined || writeObject === undefined) {
    return giveUp();
  }
  if (value === null) {
    return 'null';
  }
  if (value instanceof SplicedObject) {
    return writeObject(value);
  }
  if (typeof value === 'string') {
    return giveUp();
  }
  let text = '[';
  for (let index = 0; index < value.length; index += 1) {
    text += index === 0 ? '' : ',';
    text += writeValue(value[index], writeObject);
  }
  return `${text}]`;
}

function piecesOf(
  sets: readonly SelectionSet[],
  { apiSchema, runs }: DataSplicerOptions,
  {
    layout,
    type,
    typeName,
  }: { readonly layout: Layout; readonly type: GraphQLCompositeType; readonly typeName: string },
): Pieces {
  const objectType = apiSchema.getType(typeName);
  if (!isObjectType(objectType) || !isOfType(apiSchema, typeName, type.name)) {
    return giveUp();
  }
  const runsHere = runs(layout, typeName);
  const pieces: Piece[] = [];
  let before = '';
  let separator = '{';
  let leftOfRun = 0;
  for (const { field, below } of selectedFields(apiSchema, sets, typeName)) {
    if (leftOfRun > 0) {
      leftOfRun -= 1;
      continue;
    }
    leftOfRun = (runsHere.get(field.planName)?.length ?? 1) - 1;
    before += `${separator}${JSON.stringify(field.responseName)}:`;
    separator = ',';
    if (field.fieldName === '__typename') {
      before += JSON.stringify(typeName);
      continue;
    }
    const definition = objectType.getFields()[field.fieldName];
    const slot = layout.slots.get(field.planName);
    if (definition === undefined || slot === undefined) {
      return giveUp();
    }
    const fieldType = getNamedType(definition.type);
    const layoutBelow = layout.below.get(field.planName);
    if (isCompositeType(fieldType) !== (layoutBelow !== undefined)) {
      return giveUp();
    }
    pieces.push({
      before,
      slot,
      writeObject:
        isCompositeType(fieldType) && layoutBelow
          ? createDataSplicer(below, { apiSchema, runs }, { layout: layoutBelow, type: fieldType })
          : undefined,
    });
    before = '';
  }
  return { pieces, end: separator === '{' ? '{}' : `${before}}` };
}
