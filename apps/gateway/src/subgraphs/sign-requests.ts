import { createHash, createHmac } from 'node:crypto';
import type { BinaryLike, Hash, Hmac } from 'node:crypto';

import type { StopSignal } from '@meridian/cancellation';
import type { SubgraphInterceptor } from '@meridian/executor';
import { SubgraphFailure } from '@meridian/executor';
import type { SigV4 } from '@meridian/router-config';

type SourceData = string | ArrayBuffer | ArrayBufferView;

type Sign = (url: URL, body: string | Buffer) => Promise<Readonly<Record<string, string>>>;

/**
 * Signs each request by AWS Signature Version 4. `Authorization` of the client is replaced. As in Apollo Router, the
 * signature covers the host, the time and the body, and no other header fields: proxies may change these.
 *
 * AWS's library is loaded with the first request. It keeps temporary credentials, and gets new ones in time.
 *
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export function signRequests<Run>(
  settings: SigV4,
  subgraphUrl: string,
  now: () => Date = () => new Date(),
): SubgraphInterceptor<Run> {
  const url = new URL(subgraphUrl);
  let opening: Promise<Sign> | undefined;
  const sign = async (body: string | Buffer): Promise<Readonly<Record<string, string>>> => {
    opening ??= openSigner(settings, now);
    return await (
      await opening
    )(url, body);
  };
  return async (request, next) => {
    request.signal.throwIfAborted();
    const signed = await orAborted(sign(request.encodedBody ?? request.body), request.signal);
    return await next({ ...request, headers: { ...request.headers, ...signed } });
  };
}

/** The signature, unless the request ends before: credentials may come over the network. */
async function orAborted<Value>(value: Promise<Value>, signal: StopSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const listener = (): void => reject(signal.reason);
  signal.addEventListener('abort', listener);
  try {
    return await Promise.race([value, aborted]);
  } catch (error) {
    throw signal.aborted
      ? signal.reason
      : new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'the request cannot be signed', { cause: error });
  } finally {
    signal.removeEventListener('abort', listener);
  }
}

/** The services that want the hash of the body in a header field, as Apollo Router has them. */
const hashedServices = new Set(['appsync', 's3', 'vpc-lattice-svcs']);

/** The field by which a service lets the body be unsigned: VPC Lattice takes no other requests. */
const unsignedBody = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };

async function openSigner({ hardcoded, default_chain: chain }: SigV4, now: () => Date): Promise<Sign> {
  const [{ SignatureV4 }, providers] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@aws-sdk/credential-providers'),
  ]);
  const { region = '', service_name: service = '', assume_role: role } = hardcoded ?? chain ?? {};
  const own =
    hardcoded === undefined
      ? providers.fromNodeProviderChain({
          clientConfig: { region },
          ...(chain?.profile_name !== undefined && { profile: chain.profile_name }),
        })
      : { accessKeyId: hardcoded.access_key_id, secretAccessKey: hardcoded.secret_access_key };
  const credentials =
    role === undefined
      ? own
      : providers.fromTemporaryCredentials({
          masterCredentials: own,
          clientConfig: { region },
          params: {
            RoleArn: role.role_arn,
            RoleSessionName: role.session_name,
            ...(role.external_id !== undefined && { ExternalId: role.external_id }),
          },
        });
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Sha256,
    applyChecksum: hashedServices.has(service),
  });
  return async ({ protocol, hostname, host, pathname, search, searchParams }, body) => {
    const unsigned = {
      method: 'POST',
      protocol,
      hostname,
      path: pathname,
      ...(search !== '' && { query: queryOf(searchParams) }),
      headers: { host, ...(service === 'vpc-lattice-svcs' && unsignedBody) },
      body,
    };
    const { headers } = await signer.sign(unsigned, { signingDate: now() });
    const { host: _host, ...signed } = headers;
    return signed;
  };
}

function queryOf(parameters: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
}

/** The hash of Node, as AWS's library calls it. */
class Sha256 {
  #hash: Hash | Hmac;
  readonly #secret: BinaryLike | undefined;

  constructor(secret?: SourceData) {
    this.#secret = secret === undefined ? undefined : bytesOf(secret);
    this.#hash = this.#begin();
  }

  update(data: SourceData): void {
    this.#hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret);
  }
}

function bytesOf(data: SourceData): Uint8Array | string {
  return typeof data === 'string'
    ? data
    : ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
}
