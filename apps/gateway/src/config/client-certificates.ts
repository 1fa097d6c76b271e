import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

import type { TlsClient } from '@meridian/router-config';
import { RouterConfigError } from '@meridian/router-config';

/** The certificates of connections to a server, in PEM: options of Node's TLS. */
export interface ClientCertificates {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/**
 * The certificates that a section configures; undefined for none.
 *
 * @param path of the section, for errors
 * @param fallback for what the section leaves out
 * @throws {RouterConfigError} for a certificate that cannot be read, or that does not go with its key
 */
export function clientCertificates(
  path: string,
  section: TlsClient | undefined,
  fallback?: TlsClient,
): ClientCertificates | undefined {
  const ca = section?.certificate_authorities ?? fallback?.certificate_authorities;
  const own = section?.client_authentication ?? fallback?.client_authentication;
  if (ca === undefined && own === undefined) {
    return undefined;
  }
  const certificates = { ...(ca && { ca }), ...(own && { cert: own.certificate_chain, key: own.key }) };
  try {
    // Node ignores an authority that it cannot read.
    ca?.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/gu)?.map(
      (one) => new X509Certificate(one),
    );
    createSecureContext(certificates);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RouterConfigError([`${path}: the certificates and their key cannot be used: ${reason}`]);
  }
  return certificates;
}
