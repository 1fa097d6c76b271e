import type { ValueOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { textLike } from '../declaration/value-types.ts';

/** Certificates or a key. */
export const pem = textLike({
  pattern: /-----BEGIN [A-Z ]+-----/,
  takes: 'a text in PEM, such as ${file./path/to/certificate.pem}',
  example: '-----BEGIN CERTIFICATE-----',
});

/** TLS of connections to other servers. */
export const tlsClient = section({
  certificate_authorities: key(pem, {
    note: 'The authorities that may have signed the certificate of the server, in place of those that Node knows. Default: Node’s, and the ones that NODE_EXTRA_CA_CERTS names',
  }),
  client_authentication: key(
    section({
      certificate_chain: key(pem, {
        required: true,
        note: 'The certificate that the gateway shows the server, then those between it and its authority',
      }),
      key: key(pem, { required: true, note: 'The private key of that certificate' }),
    }),
    {},
  ),
});

export type TlsClient = ValueOf<typeof tlsClient>;
