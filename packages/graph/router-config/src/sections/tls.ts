import { mapOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { pem, tlsClient } from './tls-client.ts';

/** TLS for clients, and with subgraphs. */
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
