import type { ValueOf } from '../declaration/key-type.ts';
import { mapOf } from '../declaration/key-type.ts';
import { key, optionalSection, section } from '../declaration/key.ts';
import { textLike } from '../declaration/value-types.ts';

/** Certificates or a key. */
const pem = textLike({
  pattern: /-----BEGIN [A-Z ]+-----/,
  takes: 'a text in PEM, such as ${file./path/to/certificate.pem}',
  example: '-----BEGIN CERTIFICATE-----',
});

/** TLS of connections to other servers. */
export const tlsClient = section({
  certificate_authorities: key(pem, {
    note: 'The authorities that may have signed the certificate of the server, in place of those that Node knows. Default: Node’s, and the ones that NODE_EXTRA_CA_CERTS names',
  }),
  client_authentication: optionalSection({
    certificate_chain: key(pem, {
      required: true,
      note: 'The certificate that the gateway shows the server, then those between it and its authority',
    }),
    key: key(pem, { required: true, note: 'The private key of that certificate' }),
  }),
});

export type TlsClient = ValueOf<typeof tlsClient>;

/** TLS for clients, and with subgraphs. */
export const tls = section({
  supergraph: optionalSection({
    certificate: key(pem, {
      required: true,
      note: 'The certificate for clients; they get HTTP/1.1 and HTTP/2, over TLS alone. A changed file takes effect for new connections',
    }),
    certificate_chain: key(pem, { note: 'The certificates between that one and its authority' }),
    key: key(pem, { required: true, note: 'The private key of the certificate' }),
  }),
  subgraph: section({
    all: key(tlsClient, {
      default: {},
      note: 'For subgraphs with an https:// URL, their subscriptions included. A changed file takes effect for new requests, and for subscriptions on new connections',
    }),
    subgraphs: key(mapOf(tlsClient), {
      default: {},
      note: 'The same for this subgraph; what it leaves out is as for all',
    }),
  }),
});
