import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

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

/** For faults that end with it; all others, and the catalog, have time enough on any machine. */
const hastyTimeoutsMs = { depot: 150 };
const maxResponseBytes = 1_048_576;
/** The cap, and what may be on its way beyond it: in the buffers of two sockets and of the server. */
const maxSentBytes = 20 * maxResponseBytes;

type DepotFederation = Federation<keyof typeof depot>;

describe('The executor', () => {
  let hasty: DepotFederation;
  let patient: DepotFederation;

  beforeAll(async () => {
    const start = (timeoutsMs: Readonly<Record<string, number>>): Promise<DepotFederation> =>
      startFederation(depot, {
        timeoutsMs,
        maxResponseBytes,
      });
    hasty = await start(hastyTimeoutsMs);
    patient = await start({});
  });
  afterAll(async () => {
    await hasty.close();
    await patient.close();
  });

  const expectSoundResponse = async (federation: DepotFederation, { text, data }: Kind): Promise<void> => {
    federation.subgraphs.depot.reset();
    const respondsSoundly = async (): Promise<void> =>
      expect(await federation.dataOf(text)).toEqual(data(soundLevel));
    // For the hasty one a sound answer can be late, too.
    await (federation === hasty ? eventually(respondsSoundly) : respondsSoundly());
  };

  describe.each([rootFetch, entityFetch, mutation])('in $kind', (kind) => {
    const kindFaults = kind === entityFetch ? [...faults, ...entityFaults] : faults;

    it.each(kindFaults)('returns partial data after $name', async ({ response: httpResponse, outcome }) => {
      const federation = outcome === 'GATEWAY_TIMEOUT' ? hasty : patient;
      federation.subgraphs.depot.misbehave((response) => httpResponse(response, kind.around));

      const { data, errors } = await federation.run(kind.text);

      expect({ data, errors: errors.map(describeError).toSorted() }).toEqual(expected(kind, outcome));

      await expectSoundResponse(federation, kind);
    });

    it('stops reading a body without an end at the cap', async () => {
      const { promise: closed, resolve } = Promise.withResolvers<number>();
      patient.subgraphs.depot.misbehave((response) => {
        const { socket } = response.req;
        socket.on('close', () => resolve(socket.bytesWritten));
        writeMebibytes(response, Infinity);
      });
      const usedBefore = process.memoryUsage().arrayBuffers;

      await patient.run(kind.text);

      expect(await closed).toBeLessThan(maxSentBytes);
      expect(process.memoryUsage().arrayBuffers - usedBefore).toBeLessThan(maxSentBytes);
      await expectSoundResponse(patient, kind);
    });

    it('survives brackets without an end in a custom scalar', async () => {
      const depth = 200_000;
      const text = `{"code":"c1","anything":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      patient.subgraphs.depot.misbehave((response) => void response.end(kind.around(text)));

      await expect(patient.run(kind.text)).resolves.toBeDefined();

      await expectSoundResponse(patient, kind);
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
