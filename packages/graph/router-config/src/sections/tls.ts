import { key, section } from '../declaration/key.ts';
import { textLike } from '../declaration/value-types.ts';

const pem = textLike({
  pattern: /-----BEGIN [A-Z ]+-----/,
  takes: 'a text in PEM, such as ${file./path/to/certificate.pem}',
  example: '-----BEGIN CERTIFICATE-----',
});

/** TLS for clients. */
export const tls = section({
  supergraph: key(
    section({
      certificate: key(pem, {
        required: true,
        note: 'The certificate for clients; they get HTTP/1.1 and HTTP/2, over TLS alone. A changed file takes effect for new connections',
      }),
      certificate_chain: key(pem, { note: 'The certificates between that one and its authority' }),
      key: key(pem, { required: true, note: 'The private key of the certificate' }),
    }),
    {},
  ),
});
