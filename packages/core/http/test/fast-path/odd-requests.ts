import {
  chunkedBodies,
  connectionFields,
  connections,
  longTargets,
  oddCharacters,
  oddEncodings,
  oddHosts,
  oddLengths,
  oddLineEnds,
  oddMethods,
  oddNames,
  oddSeparators,
  oddTargets,
  oddValues,
  oddVersions,
} from './odd-parts.ts';
import { fieldOf, generatePlainRequest, writeHead } from './plain-requests.ts';
import type { GeneratedField, GeneratedRequest } from './plain-requests.ts';
import type { Random } from '@meridian/testing';

/** A request that is unusual or wrong in one to three places. */
export function generateOddRequest(random: Random): GeneratedRequest {
  const request = generatePlainRequest(random);
  for (let count = random.pick([1, 1, 1, 2, 3]); count > 0; count -= 1) {
    random.pick(mutations)(request, random);
  }
  return request;
}

type Mutation = (request: GeneratedRequest, random: Random) => void;

const mutations: readonly Mutation[] = [
  // The request line
  (request, random) => void (request.method = random.pick(oddMethods)),
  (request, random) => void (request.target = random.pick(oddTargets)()),
  (request, random) => void (request.target = random.pick(longTargets)(random)),
  (request, random) => void (request.version = random.pick(oddVersions)),
  (request) => void (request.version = 'HTTP/1.0'),
  (request, random) => {
    request[random.pick(['method', 'target', 'version'] as const)] += random.pick(oddCharacters);
  },
  // The lines
  (request, random) => void (request.lineEnd = random.pick(oddLineEnds)),
  (request, random) => void (request.headEnd = random.pick(oddLineEnds)),
  (request, random) => inField(request, random, (field) => (field[3] = random.pick(oddLineEnds))),
  (request, random) => inField(request, random, (field) => (field[1] = random.pick(oddSeparators))),
  (request) => {
    request.fields = request.fields.map(([name, separator, value]) => [name, separator, value, '\n']);
    request.lineEnd = '\n';
    request.headEnd = '\n';
  },
  (request, random) => void (request.method = random.pick(['\r\n', '\n', '\r', '\r\n\r\n']) + request.method),
  // Fields
  (request, random) => inField(request, random, (field) => (field[2] = random.pick(oddValues)(random))),
  (request, random) =>
    inField(request, random, (field) => (field[2] = insert(field[2], random.pick(oddCharacters), random))),
  (request, random) =>
    inField(request, random, (field) => (field[0] = insert(field[0], random.pick(oddCharacters), random))),
  (request, random) => addField(request, random, random.pick(oddNames), random.pick(oddValues)(random)),
  (request, random) => addField(request, random, random.pick(oddNames), 'x'),
  (request, random) =>
    inField(request, random, ([name, separator, value, end]) => {
      const repeated = random.pick([name, name.toUpperCase(), name.toLowerCase()]);
      const field: GeneratedField = [repeated, separator, random.pick([value, 'x', '']), end];
      request.fields.splice(random.below(request.fields.length + 1), 0, field);
    }),
  (request, random) => {
    const name = random.pick([
      'Authorization',
      'Cookie',
      'Accept',
      'X-A',
      'Set-Cookie',
      'Content-Type',
      'Age',
    ]);
    addField(request, random, name, random.pick(['a', '']));
    addField(request, random, random.pick([name, name.toLowerCase()]), random.pick(['a', 'b']));
  },
  (request, random) => inField(request, random, (field) => (field[0] = changeCase(field[0], random))),
  (request, random) => void request.fields.splice(random.below(request.fields.length), 1),
  // Host
  (request, random) => setField(request, random, 'Host', random.pick(oddHosts)),
  (request, random) =>
    addField(request, random, random.pick(['Host', 'host', 'HOST']), random.pick(['a', 'b', ''])),
  // Framing
  (request, random) => setField(request, random, 'Content-Length', random.pick(oddLengths)(request)),
  (request, random) => addField(request, random, 'Content-Length', random.pick(oddLengths)(request)),
  (request, random) => addField(request, random, 'Transfer-Encoding', random.pick(oddEncodings)),
  (request, random) => {
    removeField(request, 'Content-Length');
    addField(request, random, 'Transfer-Encoding', random.pick(oddEncodings));
    request.body = random.pick(chunkedBodies);
  },
  (request, random) => {
    removeField(request, 'Content-Length');
    addField(request, random, 'Transfer-Encoding', 'chunked');
    request.body = random.pick(chunkedBodies);
  },
  (request) => removeField(request, 'Content-Length'),
  (request, random) =>
    addField(request, random, random.pick(['Connection', 'connection']), random.pick(connections)),
  (request, random) => setField(request, random, 'Connection', random.pick(connections)),
  (request, random) => addField(request, random, random.pick(connectionFields), random.pick(connections)),
  (request, random) =>
    addField(request, random, 'Expect', random.pick(['100-continue', '100-Continue', 'x', ''])),
  (request, random) => {
    addField(request, random, 'Upgrade', random.pick(['h2c', 'websocket', 'HTTP/2.0', '']));
    addField(
      request,
      random,
      'Connection',
      random.pick(['Upgrade', 'upgrade, HTTP2-Settings', 'keep-alive']),
    );
  },
  // The body
  (request, random) =>
    void (request.body += random.pick(['x', '\r\n', '\0', 'GET / HTTP/1.1\r\nHost: b\r\n\r\n'])),
  (request, random) => void (request.body = request.body.slice(0, random.below(request.body.length + 1))),
  // Sizes
  (request, random) => pad(request, random, random.pick([4096, 16_380, 16_384, 16_388, 16_400])),
  (request, random) => pad(request, random, random.pick([65_520, 65_536, 65_540, 66_000, 70_000])),
  (request, random) => {
    const count = random.pick([50, 300, 2100]);
    for (let index = 0; index < count; index += 1) {
      request.fields.push(fieldOf(`n${random.chance(0.9) ? index : 0}`, ''));
    }
  },
];

/** Calls with one of the fields, if there is any. */
function inField(request: GeneratedRequest, random: Random, change: (field: GeneratedField) => void): void {
  if (request.fields.length > 0) {
    change(random.pick(request.fields));
  }
}

function addField(request: GeneratedRequest, random: Random, name: string, value: string): void {
  request.fields.splice(random.below(request.fields.length + 1), 0, fieldOf(name, value));
}

function removeField(request: GeneratedRequest, name: string): void {
  request.fields = request.fields.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
}

function setField(request: GeneratedRequest, random: Random, name: string, value: string): void {
  removeField(request, name);
  addField(request, random, name, value);
}

/** Makes the head this long, by one field. */
function pad(request: GeneratedRequest, random: Random, length: number): void {
  const missing = length - writeHead(request).length - 'x: \r\n'.length + random.below(5) - 2;
  if (missing > 0) {
    addField(request, random, 'x', 'p'.repeat(missing));
  }
}

function insert(text: string, inserted: string, random: Random): string {
  const index = random.below(text.length + 1);
  return text.slice(0, index) + inserted + text.slice(index);
}

function changeCase(text: string, random: Random): string {
  return text.replaceAll(/[a-z]/giu, (letter) =>
    random.chance(0.5) ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
