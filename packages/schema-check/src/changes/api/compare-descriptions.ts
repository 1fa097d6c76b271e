import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';

interface Described {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}

/** Compares the description of an element, and its deprecation if it can have one. */
export function compareDescriptions(coordinate: string, before: Described, after: Described): Change[] {
  return [
    ...textChange(before.description, after.description, (texts) =>
      changeOf('DESCRIPTION_CHANGED', coordinate, texts),
    ),
    ...textChange(before.deprecationReason, after.deprecationReason, (reasons) =>
      changeOf(deprecationKind(reasons), coordinate, reasons),
    ),
  ];
}

interface Texts {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function textChange(
  before: string | null | undefined,
  after: string | null | undefined,
  toChange: (texts: Texts) => Change,
): Change[] {
  const texts = { before: before ?? undefined, after: after ?? undefined };
  return texts.before === texts.after ? [] : [toChange(texts)];
}

function deprecationKind({ before, after }: Texts) {
  if (before === undefined) {
    return 'DEPRECATION_ADDED';
  }
  return after === undefined ? 'DEPRECATION_REMOVED' : 'DEPRECATION_REASON_CHANGED';
}
