import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';

import type { Mapping } from '../../src/declaration/mapping.ts';
import { mergeOverlay } from '../../src/reading/inspect-config.ts';
import { check } from '../read.fixture.ts';
import { behavioursThatDiffer, changeAsText, defaultsThatDiffer } from '../../src/checking/differences.ts';

const all = [...defaultsThatDiffer, ...behavioursThatDiffer];

/** A file that says as little as can be for every difference to hold. */
const file = `
authentication: { router: { jwt: { jwks: [ { url: "https://issuer.example/jwks.json" } ], sources: [ { type: cookie, name: a } ], on_error: Continue } } }
limits: { max_root_fields: 20 }
sandbox: { enabled: true }
batching: { enabled: true }
demand_control: { enabled: true, strategy: { static_estimated: { list_size: 10, max: 100 } } }
subscription: { mode: { passthrough: { all: {} }, callback: { public_url: "http://gateway.example:4041/callback" } } }
supergraph: { introspection: true }
telemetry: { exporters: { tracing: { otlp: { enabled: true, protocol: http } } }, instrumentation: { events: { router: { error: error } } } }
traffic_shaping: { router: { global_rate_limit: { capacity: 10, interval: 1s } } }
meridian: { throttle: { unit: cost } }
`;

function differencesOf(text: string): readonly string[] {
  const { faults, keys, differences } = check(text);
  expect([faults, keys.filter(({ verdict }) => verdict === 'unknown')]).toEqual([[], []]);
  return differences.map(({ about }) => about);
}

/** The file with a key that the path names set to a value. */
function withChange([path, value]: readonly [path: string, value: unknown]): string {
  const overlay = path.split('.').reduceRight((held, key) => ({ [key]: held }), value) as Mapping;
  return stringify(mergeOverlay(parse(file) as Mapping, overlay));
}

describe('The differences from Apollo Router', () => {
  it('are complete for an empty file', () => {
    expect(differencesOf(file)).toEqual(all.map(({ about }) => about));
  });

  it.each(all.flatMap(({ about, change }) => (change === undefined ? [] : [{ about, change }])))(
    'lose one entry, $about, with the change that the check proposes',
    ({ about, change }) => {
      expect(differencesOf(withChange(change))).not.toContain(about);
    },
  );

  it('show a change as a line of the file', () => {
    expect(changeAsText(['meridian.operations.require_name', false])).toBe(
      'meridian.operations.require_name: false',
    );
  });

  it('leave out what the file changes, or has nothing of', () => {
    const quiet = differencesOf('traffic_shaping: { all: { deduplicate_query: true } }');
    expect(quiet).not.toContain('traffic_shaping.all.deduplicate_query');
    expect(quiet).not.toContain('the claims of a token');
  });
});
