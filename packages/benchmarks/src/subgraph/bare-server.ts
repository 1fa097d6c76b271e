// Without GraphQL: the statement behind a lookup, and its rows as the lookup prints them. It trusts the given
// tenant.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listenAndAnnounce } from '../harness/listen-and-announce.ts';
import { findProducts } from './products-by-id.ts';

interface Asked {
  readonly variables: { readonly representations: readonly { readonly id: string }[] };
}

listenAndAnnounce((request, response) => void respond(request, response));

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { variables }: Asked = JSON.parse(await text(request));
  const ids = variables.representations.map(({ id }) => id);
  const products = new Map(
    (await findProducts(String(request.headers['tenant-id']), ids)).map((product) => [product.id, product]),
  );
  const entities = ids.map((id) => {
    const product = products.get(id);
    return product === undefined
      ? null
      : { id: product.id, name: product.name, priceMinorUnits: product.priceMinorUnits };
  });
  const body = Buffer.from(JSON.stringify({ data: { _entities: entities } }));
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
}
