import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

const query = 'subscription Prices($id: ID!) { priceChanged(id: $id) { id price } }';

/**
 * Opens clients of one subscription, one connection each, and waits for the head of each response.
 *
 * @param streams the number of streams of the subgraph that they share
 */
export async function openSubscribers(url: string, count: number, streams: number) {
  const { hostname, port, pathname } = new URL(url);
  const requestOf = (id: string): string => {
    const body = JSON.stringify({ query, variables: { id } });
    return [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${hostname}`,
      'Accept: text/event-stream',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  };
  let missing = 0;
  let wanted = '';
  let all = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write(requestOf(`p${index % streams}`));
    const [chunk]: unknown[] = await once(socket, 'data');
    const head = String(chunk);
    if (!head.startsWith('HTTP/1.1 200')) {
      throw new Error(`a subscription was rejected: ${head.slice(0, 500)}`);
    }
    socket.on('data', (chunk: Buffer) => {
      if (wanted !== '' && chunk.includes(wanted)) {
        missing -= 1;
        if (missing === 0) {
          all.resolve();
        }
      }
    });
  }
  return {
    /** Resolves once each has the event with this price. */
    received(price: number): Promise<void> {
      wanted = `"price":${price}}`;
      missing = count;
      all = Promise.withResolvers();
      return all.promise;
    },
    close: (): void => sockets.forEach((socket) => socket.destroy()),
  };
}
