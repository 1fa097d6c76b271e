/** An operation as a manifest lists it. */
export interface ListedOperation {
  /** Opaque: compared, never computed. */
  readonly id: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  readonly text: string;
  /** The only client that the identifier is for; absent where it is for all. */
  readonly clientName: string | undefined;
  /** The app whose manifest it is; absent where the manifest does not say. */
  readonly app?: ManifestApp | undefined;
}

/** The app that publishes a manifest. */
export interface ManifestApp {
  /** As it names itself in requests. */
  readonly name: string;
  /** The versions still in the field; empty where any may be. */
  readonly versions: readonly string[];
}
