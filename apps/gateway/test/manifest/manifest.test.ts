import { describe, expect, it } from '@jest/globals';

import { ManifestError, parseManifests } from '../../src/manifest/manifest.ts';

const time = { id: 'a', name: 'Time', type: 'query', body: 'query Time { time }' };

describe('parseManifests', () => {
  it('finds an operation by its identifier', () => {
    expect(parse([time]).find('a', undefined)?.text).toBe(time.body);
  });

  it("prefers a client's own operation, and gives others the common one", () => {
    const manifest = parse([time, { ...time, body: 'query Time { now: time }', clientName: 'web' }]);
    expect([manifest.find('a', 'web')?.text, manifest.find('a', 'ios')?.text]).toEqual([
      'query Time { now: time }',
      time.body,
    ]);
  });

  it('reads several files into one', () => {
    const manifest = parseManifests([file([time]), file([{ ...time, id: 'b' }])]);
    expect([manifest.find('a', undefined), manifest.find('b', undefined)]).not.toContain(undefined);
  });

  it.each([
    ['no JSON', '{', 'it is not valid JSON'],
    ['another format', '{"format":"x","version":1,"operations":[]}', 'its format is not'],
    ['another version', file([], { version: 2 }).text, 'its format is not'],
    ['no operations', file([], { operations: 1 }).text, 'it has no list of operations'],
    ['an operation without a body', file([{ id: 'a', name: 'A' }]).text, 'operations[0] lacks'],
    ['an empty identifier', file([{ ...time, id: '' }]).text, 'operations[0] lacks'],
    [
      'one identifier for two operations',
      file([time, { ...time, body: 'x' }]).text,
      'stands for two operations',
    ],
  ])('refuses %s', (_case, text, fault) => {
    expect(() => parseManifests([{ name: 'm.json', text }])).toThrow(ManifestError);
    expect(() => parseManifests([{ name: 'm.json', text }])).toThrow(`Cannot read the manifest m.json: `);
    expect(() => parseManifests([{ name: 'm.json', text }])).toThrow(fault);
  });
});

function parse(operations: readonly object[]): ReturnType<typeof parseManifests> {
  return parseManifests([file(operations)]);
}

function file(operations: readonly object[], members: object = {}): { name: string; text: string } {
  const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations, ...members };
  return { name: 'm.json', text: JSON.stringify(manifest) };
}
