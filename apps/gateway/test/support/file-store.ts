import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { LoopbackServer } from '@meridian/testing';
import { listenOnLoopback } from '@meridian/testing';

/** A web server with files, as the stores that gateways fetch from. */
export interface FileStore extends AsyncDisposable {
  readonly url: string;
  readonly files: Map<string, string>;
  /** Requests that it has had, newest last. */
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    status: number;
  }[];
  /** Responds before the files do; true when it has. */
  respond: (request: IncomingMessage, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

export async function startFileStore(files: Readonly<Record<string, string>> = {}): Promise<FileStore> {
  const store: Omit<FileStore, keyof LoopbackServer | keyof AsyncDisposable> = {
    files: new Map(Object.entries(files)),
    requests: [],
    respond: () => false,
  };
  const server = await listenOnLoopback((request, response) => {
    const path = request.url ?? '';
    response.once('finish', () =>
      store.requests.push({ path, headers: request.headers, status: response.statusCode }),
    );
    if (store.respond(request, response)) {
      return;
    }
    const text = store.files.get(path);
    const etag = `"${hash('sha256', text ?? '')}"`;
    if (text === undefined) {
      response.writeHead(404).end();
    } else if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
    } else {
      response.writeHead(200, { ETag: etag }).end(text);
    }
  });
  return Object.assign(store, server);
}
