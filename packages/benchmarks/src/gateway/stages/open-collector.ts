import { createServer } from 'node:http';

/** A collector of traces that takes every span and keeps none. */
export interface Collector {
  readonly url: string;
  close(): void;
}

export async function openCollector(): Promise<Collector> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'Content-Length': 0 }).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The collector has no port');
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
