import { ManifestError, parseManifest } from '@meridian/manifest';
import { describe, expect, it } from '@jest/globals';

const time = { id: 'a', name: 'Time', type: 'query', body: 'query Time { time }' };
const listed = { id: 'a', name: 'Time', text: 'query Time { time }', clientName: undefined };

describe('parseManifest reads a manifest', () => {
  it("in Apollo's format", () => {
    expect(
      parse(apollo([time, { ...time, id: 'b', clientName: 'web' }, { ...time, id: 'c', clientName: null }])),
    ).toEqual([listed, { ...listed, id: 'b', clientName: 'web' }, { ...listed, id: 'c' }]);
  });

  it("in Relay's format, whose identifiers are MD5 and whose texts end with their fragments", () => {
    const text =
      'query TimeQuery(\n  $zone: ID!\n) {\n  clock(zone: $zone) {\n    ...Face_clock\n    id\n  }\n}\n\nfragment Face_clock on Clock {\n  time\n}\n';
    expect(parse({ '0a1b2c3d4e5f60718293a4b5c6d7e8f9': text })).toEqual([
      { id: '0a1b2c3d4e5f60718293a4b5c6d7e8f9', name: 'TimeQuery', text, clientName: undefined },
    ]);
  });

  it("in graphql-codegen's format, and in gql.tada's with its prefix", () => {
    const text = 'query Time { __typename time }';
    const ids = ['f'.repeat(64), `sha256:${'e'.repeat(64)}`];
    expect(parse(Object.fromEntries(ids.map((id) => [id, text])))).toEqual(
      ids.map((id) => ({ id, name: 'Time', text, clientName: undefined })),
    );
  });

  it("in the format of Apollo Kotlin's operationOutput", () => {
    expect(parse({ a: { name: 'Time', source: time.body, type: 'query' } })).toEqual([listed]);
  });

  it('unless a name could act on a terminal or a workflow', () => {
    const bad = (changed: object): string => {
      try {
        parse(apollo([{ ...time, ...changed }]));
        return 'read';
      } catch (error) {
        return error instanceof ManifestError ? error.message : 'another error';
      }
    };
    expect(bad({ name: 'Op\n::error::name\u001b[31m' })).toContain('is not a name of GraphQL');
    expect(bad({ clientName: 'web\u009b31m' })).toContain('has control characters');
    expect(bad({ name: '' })).toBe('read');
  });

  it('with an operation that occurs twice', () => {
    expect(parse(apollo([time, time]))).toEqual([listed, listed]);
  });
});

describe('parseManifest refuses', () => {
  it.each([
    ['no JSON', '{', 'it is not valid JSON'],
    ['a list', '[]', 'it holds a list, and a manifest is an object'],
    ['nothing', '{}', 'it is an empty object'],
    ['another format', JSON.stringify({ ...apollo([]), format: 'x' }), 'it says {"format":"x","version":1}'],
    ['another version', JSON.stringify({ ...apollo([]), version: 2 }), 'its format is not'],
    ['operations without a format', '{"operations":[]}', 'its format is not'],
    ['no operations', JSON.stringify({ ...apollo([]), operations: 1 }), 'it has no list of operations'],
    ['an operation without a body', JSON.stringify(apollo([{ id: 'a', name: 'A' }])), 'operations[0] lacks'],
    ['an empty identifier', JSON.stringify(apollo([{ ...time, id: '' }])), 'operations[0] lacks'],
    [
      'one identifier for two operations',
      JSON.stringify(apollo([time, { ...time, body: 'query Other { time }' }])),
      'the identifier "a" belongs to two operations',
    ],
    [
      'one identifier, with the prefix and without, for two operations',
      JSON.stringify({ [`sha256:${'e'.repeat(64)}`]: '{ a }', ['e'.repeat(64)]: '{ b }' }),
      'belongs to two operations',
    ],
    [
      'some other file',
      '{"name":"shop","version":"1.0.0"}',
      'the text "name" is not a GraphQL document: Syntax Error',
    ],
    ['numbers', '{"a":1}', 'its format is not known: "a" is a number'],
    ['objects', '{"a":{"document":"x"}}', 'its format is not known: "a" is an object of document'],
    [
      'a text and something else',
      '{"a":"{ time }","b":1}',
      'the operation "b" lacks an identifier or a text',
    ],
    ['an empty identifier of a text', '{"":"{ time }"}', 'the operation "" lacks'],
    ['two operations in a text', '{"a":"query A { a } query B { b }"}', 'has 2 operations, and takes one'],
    ['a fragment alone', '{"a":"fragment A on B { b }"}', 'has 0 operations'],
    ['an operationOutput without a name', '{"a":{"source":"{ time }"}}', 'the operation "a" lacks'],
  ])('%s', (_case, text, fault) => {
    const read = (): unknown => parseManifest('m.json', text);
    expect(read).toThrow(ManifestError);
    expect(read).toThrow(/^Cannot read the manifest m\.json: [^\n]*$/);
    expect(read).toThrow(fault);
  });
});

function parse(manifest: object): ReturnType<typeof parseManifest> {
  return parseManifest('m.json', JSON.stringify(manifest));
}

function apollo(operations: readonly object[]): object {
  return { format: 'apollo-persisted-query-manifest', version: 1, operations };
}
