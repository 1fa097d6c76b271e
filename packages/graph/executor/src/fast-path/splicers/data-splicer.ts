import type { GraphQLCompositeType, GraphQLOutputType } from 'graphql';
import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import type { SelectionSet } from '../../operation/selection.ts';
import { bailOut } from '../tape/fast-path-bailout.ts';
import type { FixedText } from '../tape/fixed-text.ts';
import { fixedText } from '../tape/fixed-text.ts';
import {
  isMissingAt,
  isWrittenBy,
  noteText,
  slotOffset,
  typeOf,
  writeNotedText,
  writeText,
} from '../tape/spliced-object.ts';
import type { WriteObject } from '../tape/write-objects.ts';
import { writeObjects } from '../tape/write-objects.ts';
import { isOfType } from '../../supergraph/schema-types.ts';
import { nonKeyFields, selectedFields } from '../../selections/selected-fields.ts';
import type { Supergraph } from '../../supergraph/load-supergraph.ts';
import type { Layout } from './layout.ts';
import type { LeafSpan, LeafSpans } from './leaf-spans.ts';
import type { TypeNumbers } from './type-numbers.ts';

/**
 * Writes an object as the client selected it, as JSON. Bails out if a value is missing; readers have checked types
 * and nulls. Fields of a missing entity are null; if one of them is non-null, so is the object. That is an error, and a
 * bailout, where the object has a value for a field that is not part of its key.
 *
 * Spec: Execution rules, rules 4 and 10.
 */
export type SpliceData = WriteObject;

interface Piece {
  /** The text between the previous value and this one. */
  readonly before: FixedText;
  /** Of the value, from its object. */
  readonly offset: number;
  /** Absent for a leaf. */
  readonly writeObject: SpliceData | undefined;
  /** True when each object of the value may be null. */
  readonly isNullable: boolean;
  /** The text for a missing value; absent when it may not be null. */
  readonly whenMissing: FixedText | undefined;
  /** True for a value, or a range of values, of which not all are parts of a key. */
  readonly isNonKey: boolean;
}

interface Pieces {
  readonly pieces: readonly Piece[];
  readonly end: FixedText;
}

export interface DataSplicerOptions {
  readonly supergraph: Pick<Supergraph, 'apiSchema' | 'subgraphTypes'>;
  readonly leafSpans: LeafSpans;
  readonly types: TypeNumbers;
  /** A number for each reader and writer of texts in the plan, from 1: an object notes whose text it has. */
  readonly nextWriterNumber: () => number;
  /** True where fragments are deferred: an object that has to be null is left to the slow path. */
  readonly isDeferring: boolean;
}

/** Creates the writer of the objects at one place. Its code for a type is compiled when the type first occurs. */
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
  // Below zero: readers have the others.
  const writer = -options.nextWriterNumber();

  return (tape, object) => {
    if (isWrittenBy(tape, object, writer)) {
      writeNotedText(tape, object);
      return true;
    }
    const start = tape.end;
    const { pieces, end } = piecesFor(isAbstract ? typeOf(tape, object) : onlyType);
    for (const { before, offset, writeObject, isNullable, whenMissing } of pieces) {
      tape.writeFixed(before);
      const at = object + offset;
      if (isMissingAt(tape, object, at)) {
        if (whenMissing === undefined) {
          if (
            options.isDeferring ||
            pieces.some((piece) => piece.isNonKey && !isMissingAt(tape, object, object + piece.offset))
          ) {
            bailOut();
          }
          tape.end = start;
          return false;
        }
        tape.writeFixed(whenMissing);
      } else if (writeObject === undefined) {
        writeText(tape, at);
      } else {
        writeObjects(tape, at, writeObject, isNullable);
      }
    }
    tape.writeFixed(end);
    noteText(tape, object, writer, start, tape.end);
    return true;
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
  const { supergraph, leafSpans } = options;
  const { apiSchema } = supergraph;
  const objectType = apiSchema.getType(typeName);
  if (!isObjectType(objectType) || !isOfType(apiSchema, typeName, type.name)) {
    return bailOut();
  }
  const runsHere = leafSpans(layout, typeName);
  const pieces: Piece[] = [];
  let before = '';
  let separator = '{';
  let end = '}';
  const selected = selectedFields(apiSchema, sets, typeName);
  const nonKey = nonKeyFields(supergraph, typeName, selected);
  const typeOfField = (planName: string): GraphQLOutputType => {
    const { fieldName = '' } = selected.find(({ field }) => field.planName === planName)?.field ?? {};
    return (objectType.getFields()[fieldName] ?? bailOut()).type;
  };
  const add = (planName: string, piece: Omit<Piece, 'before' | 'offset'>): void => {
    const slot = layout.slots.get(planName) ?? bailOut();
    pieces.push({ before: fixedText(before), offset: slotOffset(slot), ...piece });
    before = '';
  };
  for (const { field, below } of selected) {
    const { fieldName, responseName, planName } = field;
    const run = runsHere.find(({ names }) => names.includes(planName));
    if (run !== undefined) {
      if (run.names[0] === planName) {
        before += separator;
        separator = ',';
        end = run.endsObject ? '' : end;
        add(run.keptAt, {
          ...leaf,
          whenMissing: missingSpan(run, typeOfField),
          isNonKey: run.names.some((name) => nonKey.has(name)),
        });
      }
      continue;
    }
    before += `${separator}${JSON.stringify(responseName)}:`;
    separator = ',';
    if (fieldName === '__typename') {
      before += JSON.stringify(typeName);
      continue;
    }
    const fieldType = typeOfField(planName);
    const namedType = getNamedType(fieldType);
    const layoutBelow = layout.below.get(planName);
    const whenMissing = isNonNullType(fieldType) ? undefined : nullText;
    const isNonKey = nonKey.has(planName);
    if (!isCompositeType(namedType)) {
      add(planName, { ...leaf, whenMissing, isNonKey });
    } else if (layoutBelow !== undefined) {
      const writeObject = createDataSplicer(below, options, { layout: layoutBelow, type: namedType });
      add(planName, { writeObject, isNullable: isItemNullable(fieldType), whenMissing, isNonKey });
    }
    if (isCompositeType(namedType) !== (layoutBelow !== undefined)) {
      return bailOut();
    }
  }
  return { pieces, end: fixedText(separator === '{' ? '{}' : before + end) };
}

const nullText = fixedText('null');
const leaf = { writeObject: undefined, isNullable: false } as const;

function missingSpan(
  { names, endsObject }: LeafSpan,
  typeOfField: (planName: string) => GraphQLOutputType,
): FixedText | undefined {
  const members = names.map((name) => `${JSON.stringify(name)}:null`);
  return names.some((name) => isNonNullType(typeOfField(name)))
    ? undefined
    : fixedText(`${members.join(',')}${endsObject ? '}' : ''}`);
}

/** True when items may be null in all nested lists of a type. */
function isItemNullable(type: GraphQLOutputType): boolean {
  const nullable = getNullableType(type);
  return isListType(nullable) ? isItemNullable(nullable.ofType) : !isNonNullType(type);
}
