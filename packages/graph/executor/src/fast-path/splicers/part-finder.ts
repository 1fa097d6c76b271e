import type { GraphQLCompositeType } from 'graphql';
import { getNamedType, isAbstractType, isCompositeType, isObjectType } from 'graphql';

import type { SelectionSet } from '../../operation/selection.ts';
import type { DeferredPart, FoundPart } from '../../selections/deferred-parts.ts';
import { deferredParts, foundPart, hasDeferred, maxFragmentsOfRun } from '../../selections/deferred-parts.ts';
import { selectedFields } from '../../selections/selected-fields.ts';
import { bailOut } from '../tape/fast-path-bailout.ts';
import type { SplicedObject } from '../tape/spliced-object.ts';
import { listMark, nextCell, objectMark, slotOffset, typeOf } from '../tape/spliced-object.ts';
import type { Tape } from '../tape/tape.ts';
import type { DataSplicerOptions } from './data-splicer.ts';
import type { Layout } from './layout.ts';

/**
 * Finds the deferred fragments of an object and of those below it.
 *
 * @param path of the object, in the client's names; changed while it runs
 */
export type FindParts = (
  tape: Tape,
  object: SplicedObject,
  path: (string | number)[],
  found: FoundPart[],
) => void;

interface PlacesBelow {
  readonly parts: readonly DeferredPart[];
  readonly fields: readonly {
    readonly responseName: string;
    /** Of the value, from its object. */
    readonly offset: number;
    readonly find: FindParts;
  }[];
}

interface ObjectsAt {
  readonly layout: Layout;
  readonly type: GraphQLCompositeType;
  /** The names of the fields that lead to them. */
  readonly place: readonly string[];
}

/** Creates the finder for the objects at one place. Its code for a type is compiled when the type first occurs. */
export function createPartFinder(
  sets: readonly SelectionSet[],
  options: Pick<DataSplicerOptions, 'supergraph' | 'types'>,
  { layout, type, place }: ObjectsAt,
): FindParts {
  const { types } = options;
  const { apiSchema } = options.supergraph;
  const byType: (PlacesBelow | undefined)[] = [];
  const isAbstract = isAbstractType(type);
  const onlyType = types.numberOf(type.name);

  const placesFor = (objectType: number): PlacesBelow =>
    (byType[objectType] ??= placesBelow(types.nameOf(objectType)));

  const placesBelow = (typeName: string): PlacesBelow => {
    const found = apiSchema.getType(typeName);
    const definitions = isObjectType(found) ? found.getFields() : bailOut();
    return {
      parts: deferredParts(apiSchema, sets, { place, typeName }),
      fields: selectedFields(apiSchema, sets, typeName)
        .filter(({ below }) => below.some(hasDeferred))
        .map(({ field: { planName, responseName, fieldName }, below }) => {
          const typeBelow = getNamedType(definitions[fieldName]?.type);
          return {
            responseName,
            offset: slotOffset(layout.slots.get(planName) ?? bailOut()),
            find: createPartFinder(below, options, {
              layout: layout.below.get(planName) ?? bailOut(),
              type: isCompositeType(typeBelow) ? typeBelow : bailOut(),
              place: [...place, planName],
            }),
          };
        }),
    };
  };

  return (tape, object, path, found) => {
    const { parts, fields } = placesFor(isAbstract ? typeOf(tape, object) : onlyType);
    for (const part of parts) {
      if (found.length <= maxFragmentsOfRun) {
        found.push(foundPart(part, path, object));
      }
    }
    for (const { responseName, offset, find } of fields) {
      path.push(responseName);
      findIn(tape, object + offset, find, path, found);
      path.pop();
    }
  };
}

function findIn(
  tape: Tape,
  at: number,
  find: FindParts,
  path: (string | number)[],
  found: FoundPart[],
): void {
  const { words } = tape;
  const value = words[at] ?? 0;
  const mark = words[at + 1] ?? 0;
  if (mark === objectMark) {
    find(tape, value, path, found);
  } else if (mark === listMark) {
    let index = 0;
    for (let cell = value; cell !== 0; cell = words[cell + nextCell] ?? 0) {
      path.push(index);
      findIn(tape, cell, find, path, found);
      path.pop();
      index += 1;
    }
  }
}
