// The data of a run as text: what the answers of subgraphs said, in the pieces that the answer to the client is put together of.

/**
 * A leaf, or a list of leaves, is its JSON text, also where it is null. An object that is null is null; what no answer brought is
 * undefined.
 */
export type SplicedValue = string | SplicedObject | SplicedList | null | undefined;

export type SplicedList = readonly SplicedValue[];

/** An object of the data. One object stands for all that have an equal text at the same place of the data. */
export class SplicedObject {
  readonly typeName: string;
  /** In the slots that the layout of its place gives to plan names. */
  readonly values: SplicedValue[];
  /** How it was written last, and by whom. */
  written: string | undefined = undefined;
  writtenBy: object | undefined = undefined;

  constructor(typeName: string, values: SplicedValue[]) {
    this.typeName = typeName;
    this.values = values;
  }
}
