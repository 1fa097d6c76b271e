// Numbers under custom scalars, digit for digit: what the subgraphs receive and the client gets, as text.
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { LoopbackServer } from '@meridian/testing';
import { listenOnLoopback } from '@meridian/testing';

import type { TestGateway } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { compose } from '../support/compose.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const header = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@requires", "@external", "@requiresScopes"])
  scalar Long`;
const stock = `${header}
  type Query { one: Long  many: [Long]  item: Item  secret: String @requiresScopes(scopes: [["none"]])
    echo(x: Long, list: [Long], in: In, n: Int, f: Float, id: ID): Long }
  input In { x: Long  list: [Long]  n: Int  id: ID  usual: Long = 9007199254740993 }
  type Item @key(fields: "id") { id: Long!  weight: Long }`;
const parts = `${header}
  type Item @key(fields: "id") { id: Long!  weight: Long @external  worth: Long @requires(fields: "weight") }`;

const numbers = [
  '9007199254740993',
  '-9223372036854775808',
  '12345678901234567890123',
  '0.10000000000000000001',
  '1.0',
  '-0',
  '1e3',
  '1E+2',
  '1e400',
] as const;

let responses: string[] = [];
let received: string[] = [];
let subgraphs: readonly LoopbackServer[] = [];

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push(await text(request));
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(responses.shift() ?? '{"data":null,"errors":[{"message":"not expected"}]}');
}

async function startGateway(executor: string): Promise<TestGateway> {
  return await startTestGateway({
    config: `meridian: { executor: ${executor}, operations: { require_name: false } }`,
    async prepare(directory) {
      const listen = async (): Promise<LoopbackServer> =>
        await listenOnLoopback((request, response) => void respond(request, response));
      subgraphs = [await listen(), await listen()];
      const supergraphSdl = compose([
        { name: 'stock', routingUrl: subgraphs[0]?.url ?? '', sdl: stock },
        { name: 'parts', routingUrl: subgraphs[1]?.url ?? '', sdl: parts },
      ]);
      const path = join(directory, 'numbers.graphql');
      // Composition makes doubles of defaults, too.
      await writeFile(path, supergraphSdl.replace('= 9007199254740992', '= 9007199254740993'));
      return { SUPERGRAPH_PATH: path };
    },
  });
}

describe.each(['fast_path', 'slow_path'])(
  'A number of a custom scalar, with the executor %s,',
  (executor) => {
    const gateway = useInSuite(() => startGateway(executor));
    afterEach(() => {
      responses = [];
      received = [];
    });
    afterAll(() => Promise.all(subgraphs.map((subgraph) => subgraph.close())));

    /** Sends a body as it is written, and gives the response as it is written. */
    async function send(body: string): Promise<string> {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(gateway.url, { method: 'POST', body, headers });
      return await response.text();
    }

    it.each(numbers)('reaches the client as the subgraph wrote it: %s', async (number) => {
      responses = [`{"data":{"one":${number},"many":[${number},null,{"deep":[${number}]}]}}`];
      expect(await send('{"query":"{ one many }"}')).toBe(
        `{"data":{"one":${number},"many":[${number},null,{"deep":[${number}]}]}}`,
      );
    });

    it.each(numbers)('reaches the client beside an error and an unauthorized field: %s', async (number) => {
      responses = [`{"errors":[{"message":"no","path":["many"]}],"data":{"many":null,"one":${number}}}`];
      expect(await send('{"query":"{ one many secret }"}')).toContain(
        `"data":{"one":${number},"many":null,"secret":null}`,
      );
    });

    it.each(numbers)('is the same in representations: %s', async (number) => {
      responses = [
        `{"data":{"item":{"__typename":"Item","id":${number},"weight":${number}}}}`,
        `{"data":{"_entities":[{"worth":${number}}]}}`,
      ];
      expect(await send('{"query":"{ item { worth } }"}')).toBe(`{"data":{"item":{"worth":${number}}}}`);
      expect(received[1]).toContain(`{"__typename":"Item","id":${number},"weight":${number}}`);
    });

    it.each(numbers)('reaches the subgraph as the client wrote it: %s', async (number) => {
      responses = [
        '{"data":{"echo":1}}',
        '{"data":{"echo":2}}',
        '{"data":{"echo":3}}',
        '{"data":{"echo":4}}',
      ];
      const declared = '($x: Long, $list: [Long], $in: In)';
      await send(
        `{"query":"query${declared} { echo(x: $x, list: $list, in: $in) }","variables":{"x":${number},"list":[${number},{"a":${number}}],"in":{"x":${number},"list":${number}}}}`,
      );
      expect(received[0]).toContain(
        `"variables":{"x":${number},"list":[${number},{"a":${number}}],"in":{"x":${number},"list":[${number}],"usual":9007199254740993}}`,
      );
      await send(`{"query":"query($x: Long = ${number}) { echo(x: $x) }"}`);
      expect(received[1]).toContain(`$x:Long=${number}`);
      expect(received[1]).toContain(`"variables":{"x":${number}}`);
      await send(`{"query":"{ echo(x: ${number}, list: [${number}, {a: ${number}}]) }"}`);
      expect(received[2]).toContain(number);
      const query = new URLSearchParams({
        query: 'query($x: Long) { echo(x: $x) }',
        variables: `{"x":${number}}`,
      });
      await fetch(`${gateway.url}?${query.toString()}`, { headers: { 'apollo-require-preflight': '1' } });
      expect(received[3]).toContain(`"variables":{"x":${number}}`);
    });

    it('does not change how built-in scalars read numbers', async () => {
      responses = ['{"data":{"echo":1}}'];
      await send(
        '{"query":"query($n: Int, $f: Float, $id: ID, $in: In) { echo(n: $n, f: $f, id: $id, in: $in) }","variables":{"n":1.0,"f":1.50,"id":9007199254740993,"in":{"n":2e0,"id":7}}}',
      );
      expect(received[0]).toContain(
        '"variables":{"n":1,"f":1.5,"id":"9007199254740993","in":{"n":2,"id":"7","usual":9007199254740993}}',
      );
    });

    it.each([
      ['{"query":"query($n: Int) { echo(n: $n) }","variables":{"n":1.5}}', 'non-integer'],
      ['{"query":"query($n: Int) { echo(n: $n) }","variables":{"n":12345678901234567890}}', 'non 32-bit'],
      [
        '{"query":"query($in: In) { echo(in: $in) }","variables":{"in":1.0}}',
        'Expected an object of the type',
      ],
      ['{"query":"{ one }","variables":1.0}', '`variables` must be an object'],
      ['1.0', 'must be a JSON object'],
    ])('is refused where its place takes none: %s', async (body, message) => {
      expect(await send(body)).toContain(message);
      expect(received).toEqual([]);
    });
  },
);
