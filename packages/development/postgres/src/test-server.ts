// The server of a test run starts when the first suite asks for it: most suites need none.
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';

/** A PostgreSQL, or the Citus cluster of a coordinator and its workers, as URLs of a superuser. */
export interface TestServer {
  readonly url: string;
  readonly workerUrls: readonly string[];
}

/** The server of a test run, for the process that owns it. */
export interface OwnedTestServer {
  /** Ends the server, if a suite has asked for it. */
  stop(): Promise<void>;
}

/** The variable that holds the URL at which suites ask for the server. */
const variable = 'MERIDIAN_TEST_SERVER';

/** Offers a server to the suites of a test run, which are in this process or in those that it starts. */
export async function offerTestServer(
  start: () => Promise<TestServer & OwnedTestServer>,
): Promise<OwnedTestServer> {
  let started: ReturnType<typeof start> | undefined;
  const door = createServer((_request, response) => {
    started ??= start();
    started.then(
      (server) => response.end(JSON.stringify(server)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  door.listen(0, '127.0.0.1').unref();
  await once(door, 'listening');
  const address = door.address();
  process.env[variable] = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    async stop() {
      door.close();
      const server = await started?.catch(() => undefined);
      await server?.stop();
    },
  };
}

/** The server of the test run. The first suite that asks waits until it has started. */
export async function testServer(): Promise<TestServer> {
  const door = process.env[variable];
  if (door === undefined) {
    throw new Error(`${variable} is not set: tests with a database run under jest's global setup`);
  }
  const response = await fetch(door);
  if (!response.ok) {
    throw new Error(await response.text());
  }
  const { url, workerUrls }: TestServer = JSON.parse(await response.text());
  return { url, workerUrls };
}
