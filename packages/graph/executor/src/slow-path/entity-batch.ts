import type { DataObject } from './data.ts';

/** The objects that a fetch is for. */
export interface EntityBatch {
  /** Each representation that is sent; undefined for a fetch of root fields. */
  readonly representations: readonly string[] | undefined;
  /** The objects of each representation; for root fields all of them, once. */
  readonly targets: readonly (readonly DataObject[])[];
}
