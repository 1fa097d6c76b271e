/** A collector that takes OTLP. */
export type OtlpDestination = OtlpOverHttp | OtlpOverGrpc;

export interface OtlpOverHttp {
  readonly protocol: 'http';
  /** The URL of the signal: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** Header fields for the collector, such as a key. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OtlpOverGrpc {
  readonly protocol: 'grpc';
  /** With `https:`, over TLS: `http://127.0.0.1:4317`. The path is ignored. */
  readonly url: string;
  /** Metadata for the collector, such as a key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: GrpcTls;
}

/** Certificates and keys, in PEM. */
export interface GrpcTls {
  /** Those who may sign the collector's certificate. Default: those that Node trusts. */
  readonly authorities: string | undefined;
  /** The client's own certificate and its key. */
  readonly identity: { readonly certificate: string; readonly key: string } | undefined;
  /** The name in the collector's certificate. Default: the host of the URL. */
  readonly serverName: string | undefined;
}
