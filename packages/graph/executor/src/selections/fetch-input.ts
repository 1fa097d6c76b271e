/** The input of a fetch in one run. */
export interface FetchInput {
  /** The representations as JSON, without the brackets around them; undefined for root fields. */
  readonly representations: string | undefined;
  /** The number of entities. */
  readonly entityCount: number | undefined;
}
