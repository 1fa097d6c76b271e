/** What a fetch asks in one run. */
export interface FetchInput {
  /** The representations as JSON, without the brackets around them; undefined for root fields. */
  readonly representations: string | undefined;
  /** How many they are. */
  readonly entityCount: number | undefined;
}
