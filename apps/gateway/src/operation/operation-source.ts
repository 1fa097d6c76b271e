/** The text of an operation, from the body, the manifest or the APQ store. */
export interface OperationSource {
  readonly text: string;
  /** Identifies the text in caches. */
  readonly key: string;
  /** True when the manifest has it under the identifier of the request. */
  readonly isFromManifest: boolean;
}
