/** An operation that clients may send. */
export interface KnownOperation {
  /** Identifies its text among all known operations. */
  readonly key: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  /** The document; absent where usage was recorded without it. */
  readonly text: string | undefined;
  /** Its identifiers in manifests. */
  readonly identifiers: readonly string[];
  readonly clients: readonly OperationClient[];
  /** The fields that it selects, as usage recorded them: for an operation without a text. */
  readonly recordedFields?: readonly string[];
  /**
   * The input fields (`Input.field`) and enum values (`Enum.VALUE`) that clients sent in variables. Absent where usage
   * was not recorded for long enough, so that any of them may be sent.
   */
  readonly sentInputs?: ReadonlySet<string> | undefined;
}

/** A client of an operation. */
export interface OperationClient {
  /** Empty for an unnamed client. */
  readonly name: string;
  /** Absent for a client of a manifest, of which any version may be in use. */
  readonly version: string | undefined;
  /** In the window of usage; absent where no use is recorded. */
  readonly requests: number | undefined;
  /** `2026-01-31`; absent if no use is recorded. */
  readonly lastDay: string | undefined;
}

/** An operation that a change concerns. */
export interface Hit {
  readonly operation: KnownOperation;
  /**
   * - `invalid`: it does not validate any more.
   * - `response`: its response has another type.
   * - `variables`: variables that clients send are not accepted, or mean something else.
   * - `null`: a variable that may be null is not accepted if it is.
   * - `uses`: it uses what changed, and stays valid.
   */
  readonly how: 'invalid' | 'response' | 'variables' | 'null' | 'uses';
  /** False if it depends on variables that usage does not record. */
  readonly isCertain: boolean;
}
