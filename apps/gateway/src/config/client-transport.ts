import { createSecureContext } from 'node:tls';

import type { ServerCertificate } from '@meridian/http';
import { secureContextOptions } from '@meridian/http';
import type { RouterConfig } from '@meridian/router-config';
import { RouterConfigError } from '@meridian/router-config';

/** Files have more time than a JSON body, if a request has. */
const maxReceivingMs = 60_000;

/**
 * The connections of clients: TLS, and the limits of heads.
 *
 * @throws {RouterConfigError} for a certificate and a key that do not go together
 */
export function clientTransport(file: RouterConfig) {
  const { tls, server, limits, preview_file_uploads: uploads } = file;
  const { header_read_timeout: maxHeadMs, tls_handshake_timeout: maxHandshakeMs } = server.http;
  return {
    /** Undefined where clients connect without TLS. */
    tls: tls.supergraph && { ...certificateOf(tls.supergraph), maxHandshakeMs },
    headLimits: {
      maxFields: limits.http1_max_request_headers,
      maxHeadBytes: limits.http1_max_request_buf_size,
      maxHeadMs,
    },
    maxHttp2HeadBytes: limits.http2_max_headers_list_bytes,
    /** The longest time until a request has arrived completely. */
    maxReceivingMs: uploads.enabled
      ? Math.max(maxReceivingMs, file.traffic_shaping.router.timeout)
      : maxReceivingMs,
  };
}

type SupergraphTls = NonNullable<RouterConfig['tls']['supergraph']>;

function certificateOf({
  certificate,
  certificate_chain: chain = '',
  key,
}: SupergraphTls): ServerCertificate {
  const held = { certificate: withoutRepetition(`${certificate}\n${chain}`), key };
  try {
    createSecureContext(secureContextOptions(held));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RouterConfigError([`tls.supergraph: the certificate and its key cannot be used: ${reason}`]);
  }
  return held;
}

/** The certificates of a text in PEM, each once: many files name the same file for the certificate and its chain. */
function withoutRepetition(pem: string): string {
  const blocks = pem.split(/(?=-----BEGIN )/).map((block) => block.trim());
  return [...new Set(blocks)].join('\n');
}
