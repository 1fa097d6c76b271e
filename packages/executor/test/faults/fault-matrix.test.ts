import process from 'node:process';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { createExecutor, createReferenceExecutor } from '../../src/index.ts';
import type { Federation } from '../support/federation.ts';
import { startFederation } from '../support/federation.ts';
import { depot, soundLevel } from './depot.ts';
import type { Around, Fault } from './subgraph-faults.ts';
import { entityFaults, faults, writeMebibytes } from './subgraph-faults.ts';

/** A kind of request to the faulty subgraph. */
interface Kind {
  readonly kind: string;
  readonly text: string;
  readonly around: Around;
  /** The data with a level in each place. */
  readonly data: (level: unknown) => unknown;
  readonly places: readonly string[];
}

const level = '{ name code size open kind ratio tags anything }';

const rootFetch: Kind = {
  kind: 'a root fetch',
  text: `{ ping level ${level} }`,
  around: (text) => `{"data":{"level":${text}}}`,
  data: (value) => ({ ping: 'pong', level: value }),
  places: ['level'],
};
const entityFetch: Kind = {
  kind: 'an entity fetch',
  text: `{ products { id level ${level} } }`,
  around: (text) => `{"data":{"_entities":[{"level":${text}},{"level":${text}}]}}`,
  data: (value) => ({
    products: [
      { id: 'p1', level: value },
      { id: 'p2', level: value },
    ],
  }),
  places: ['products.0.level', 'products.1.level'],
};
const mutation: Kind = {
  kind: 'a mutation',
  text: `mutation { restock(id: "p1") ${level} }`,
  around: (text) => `{"data":{"restock":${text}}}`,
  data: (value) => ({ restock: value }),
  places: ['restock'],
};

const timeoutMs = 100;
const maxResponseBytes = 1_048_576;
/** The cap, and what may be on its way beyond it: in the buffers of two sockets and of the server. */
const maxSentBytes = 20 * maxResponseBytes;

describe.each([
  ['compiled', createExecutor],
  ['reference', createReferenceExecutor],
])('the %s executor', (_name, create) => {
  let federation: Federation<keyof typeof depot>;

  beforeAll(async () => {
    federation = await startFederation(depot, { create, timeoutMs, maxResponseBytes });
  });
  afterEach(() => federation.subgraphs.depot.reset());
  afterAll(() => federation.close());

  const expectSoundAnswer = async ({ text, data }: Kind): Promise<void> => {
    federation.subgraphs.depot.reset();
    expect(await federation.run(text)).toEqual({ data: data(soundLevel), errors: [] });
  };

  describe.each([rootFetch, entityFetch, mutation])('in $kind', (kind) => {
    const kindFaults = kind === entityFetch ? [...faults, ...entityFaults] : faults;

    it.each(kindFaults)('answers with what there is to $name', async ({ answer, outcome }) => {
      federation.subgraphs.depot.misbehave((response) => answer(response, kind.around));
      const startedMs = performance.now();

      const { data, errors } = await federation.run(kind.text);

      expect({ data, errors: errors.map(describeError).toSorted() }).toEqual(expected(kind, outcome));
      expect(performance.now() - startedMs).toBeLessThan(timeoutMs + 2000);

      await expectSoundAnswer(kind);
    });

    it('reads no more of a body without an end than the cap', async () => {
      const { promise: closed, resolve } = Promise.withResolvers<number>();
      federation.subgraphs.depot.misbehave((response) => {
        const { socket } = response.req;
        socket.on('close', () => resolve(socket.bytesWritten));
        writeMebibytes(response, Infinity);
      });
      const usedBefore = process.memoryUsage().arrayBuffers;

      await federation.run(kind.text);

      expect(await closed).toBeLessThan(maxSentBytes);
      expect(process.memoryUsage().arrayBuffers - usedBefore).toBeLessThan(maxSentBytes);
      await expectSoundAnswer(kind);
    });

    it('survives brackets without an end in a custom scalar', async () => {
      const depth = 200_000;
      const text = `{"code":"c1","anything":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      federation.subgraphs.depot.misbehave((response) => void response.end(kind.around(text)));

      await expect(federation.run(kind.text)).resolves.toBeDefined();

      await expectSoundAnswer(kind);
    });
  });
});

function expected({ data, places }: Kind, outcome: Fault['outcome']): object {
  return typeof outcome === 'string'
    ? { data: data(null), errors: places.map((place) => `${place} ${outcome}`) }
    : {
        data: data(outcome.level),
        errors: places
          .flatMap((place) => outcome.violations.map((field) => (field === '' ? place : `${place}.${field}`)))
          .map((place) => `${place} SUBREQUEST_MALFORMED_RESPONSE`)
          .toSorted(),
      };
}

function describeError(error: Awaited<ReturnType<Federation<string>['run']>>['errors'][number]): string {
  const code = error.kind === 'subrequest' ? error.code : error.kind;
  return `${error.path?.join('.') ?? 'no path'} ${code}`;
}
