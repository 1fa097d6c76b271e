// Which answers are spliced, and that those which are not are answered alike.
import { describe, expect, it } from '@jest/globals';

import type { Executor, ExecutorOptions, SubgraphTransport } from '../../src/index.ts';
import { createExecutor, encodeResponse } from '../../src/index.ts';
import { createReferenceExecutor } from '../support/reference/reference-executor.ts';
import { runText, supergraphOf } from '../support/federation.ts';

const supergraph = supergraphOf({
  things: `
    scalar Anything
    enum Kind { WET DRY }
    type Query { thing: Thing, things: [Thing!]!, named: Named, all: [Named!]!, maybe: [Thing], pairs: [Pair!]! }
    interface Pair { twin: Thing }
    type Close implements Pair { twin: Thing }
    type Distant implements Pair { twin: Thing }
    interface Named { name: String! }
    type Thing implements Named @key(fields: "id") {
      id: ID! name: String! size: Int ratio: Float isOpen: Boolean kind: Kind anything: Anything tags: [String!]
      parts: [Part] level: Int!
    }
    type Part { name: String! width: Int! }
    type Other implements Named { name: String! depth: Int }
  `,
  costs: `
    type Thing @key(fields: "id") {
      id: ID! level: Int! @external cost: Int! note: String weighted: Int @requires(fields: "level")
    }
  `,
  marks: 'type Thing @key(fields: "id") { id: ID! mark: Int }',
});

type Create = (options: ExecutorOptions) => Executor;

/** Runs an operation over subgraphs that answer with these texts. */
async function run(
  query: string,
  responses: Readonly<Record<string, string | Buffer>>,
  create: Create = createExecutor,
) {
  const bodies: string[] = [];
  let isSpliced = true;
  const otherwiseWritten: string[] = [];
  const transport: SubgraphTransport = {
    send({ subgraph, body }) {
      bodies.push(body);
      return Promise.resolve({ text: responses[subgraph] ?? '', cacheControl: undefined });
    },
  };
  const watch = {
    onSlowPath: () => void (isSpliced = false),
    onSlowPathResponse: (subgraph: string) => void otherwiseWritten.push(subgraph),
  };
  const result = await runText(create({ supergraph, transport, watch }), query);
  const { data, errors } = result;
  return {
    data,
    errors: errors.map(({ path }) => path?.join('.')),
    bodies,
    isSpliced,
    otherwiseWritten,
    bytes: encodeResponse(result),
  };
}

/** The same by the reference executor. */
async function runPlainly(query: string, responses: Readonly<Record<string, string | Buffer>>) {
  const { data, errors } = await run(query, responses, createReferenceExecutor);
  return { data: JSON.parse(data) as unknown, errors };
}

const query = '{ thing { size ratio isOpen kind name tags anything parts { name width } } }';

function thing(changes: Readonly<Record<string, string>> = {}): string {
  const members = {
    size: '3',
    ratio: '0.5',
    isOpen: 'true',
    kind: '"DRY"',
    name: '"a thing"',
    tags: '["x","y"]',
    anything: '{"a":[1]}',
    parts: '[{"name":"p","width":1},null]',
    ...changes,
  };
  const texts = Object.entries(members).map(([name, text]) => `"${name}":${text}`);
  return `{"data":{"thing":{${texts.join(',')}}}}`;
}

/** With a space where it shows at the start. */
function loose(response: string): string {
  return response.replace('{"data":', '{"data": ');
}

describe('createExecutor with the path "slow"', () => {
  it('never enters the fast path, and answers alike', async () => {
    const slow: Create = (options) => createExecutor({ ...options, path: 'slow' });
    // On the fast path, members in another order make a run bail out, which is observed.
    const responses = { things: '{"data":{"thing":{"name":"n","size":1}}}' };
    const fast = await run('{ thing { size name } }', responses);
    const { data, errors, otherwiseWritten } = await run('{ thing { size name } }', responses, slow);
    expect(fast.otherwiseWritten).toEqual(['things']);
    expect([data, errors, otherwiseWritten]).toEqual([fast.data, [], []]);
  });
});

describe('The fast path reads a subgraph response', () => {
  it.each([
    ['as expected', thing()],
    ['with white space after it', `${thing()} \r\n`],
    ['with indentation', JSON.stringify(JSON.parse(thing()), null, 2)],
    ['with a space after each colon and comma', thing().replaceAll(/[:,]/g, '$& ')],
    ['with white space wherever JSON allows it', ` ${thing().replaceAll(/[{}[\]:,]/g, '\r\n$& \t')}\n`],
    [
      'with indentation, and spaces and quotes in a text',
      JSON.stringify(JSON.parse(thing({ name: String.raw`" a \\ \" : , b \\"` })), null, 2),
    ],
    [
      'with nulls in nullable positions',
      thing({ size: 'null', tags: 'null', parts: 'null', anything: 'null' }),
    ],
    ['with a null object', '{"data":{"thing":null}}'],
    ['with empty lists', thing({ tags: '[]', parts: '[]' })],
    ['with the smallest 32-bit integer', thing({ size: '-2147483648' })],
    ['with the largest 32-bit integer', thing({ size: '2147483647' })],
    ['with 0 and a negative fraction', thing({ size: '0', ratio: '-0.25' })],
    ['with a fraction in its shortest form', thing({ ratio: '3.6666666666666665' })],
    ['with the largest number', thing({ ratio: '1.7976931348623157e+308' })],
    ['with the smallest number', thing({ ratio: '-5e-324' })],
    ['with text beyond ASCII', thing({ name: '"ünïcödé 🎈"' })],
    ['with escapes', thing({ name: String.raw`"\"\\\/\b\f\n\r\t\u00e9\uD83C\udf88"` })],
    ['with text that looks like JSON', thing({ name: String.raw`"\",\"admin\":true,\"x\":\"}]}"` })],
    ['with a list for any value', thing({ anything: '[ 1, {"b" : "]"} ]' })],
    ['with an object for any value that holds nothing but a space', thing({ anything: '{ }' })],
    ['with an object of nulls for any value', thing({ anything: '{"a":[null,{"b":null}],"c":-1.5}' })],
    ['with a text for any value', thing({ anything: '"]"' })],
    ['with numbers in any value that a double changes', thing({ anything: '[-0,1.0,9007199254740993,1E2]' })],
    ['with a number out of range in any value', thing({ anything: '{"a":[1e999,-1e+999,0.1e-999]}' })],
    ['of bytes', Buffer.from(thing({ name: '"ä"' }))],
  ])('%s', async (_how, response) => {
    const { data, errors, isSpliced } = await run(query, { things: response });
    expect({ data: JSON.parse(data) as unknown, errors }).toEqual(
      await runPlainly(query, { things: response }),
    );
    expect(errors).toEqual([]);
    expect(isSpliced).toBe(true);
  });
});

describe('The executor bails out of the fast path for a subgraph response', () => {
  it.each([
    ['with its keys in another order', '{"data":{"thing":{"ratio":1.5,"size":2}}}'],
    ['with spaces inside a list only', thing({ tags: '["a", "b"]' })],
    ['with a space between two values', loose(thing({ size: '1 2' }))],
    ['with a space in a literal', loose(thing({ isOpen: 'tr ue' }))],
    ['with a space between two texts', loose(thing({ name: '"a" "b"' }))],
    ['with indentation that is cut off in a text', loose(thing().slice(0, thing().indexOf('a thing')))],
    [
      'with indentation that is cut off after a backslash',
      String.raw`{"data": {"thing":{"size":3,"name":"a\\`,
    ],
    ['with a member that was not selected', thing({ admin: 'true' })],
    ['without a selected field', '{"data":{"thing":{"size":3}}}'],
    ['with errors', '{"errors":[{"message":"failed","path":["thing"]}],"data":{"thing":null}}'],
    ['with errors after the data', thing().replace(/\}$/, ',"errors":[{"message":"failed"}]}')],
    ['with a null in a non-null position', thing({ name: 'null' })],
    ['with a null in a list without nulls', thing({ tags: '["x",null]' })],
    ['with an integer of 33 bits', thing({ size: '2147483648' })],
    ['with a fraction for an integer', thing({ size: '1.5' })],
    ['with an exponent for an integer', thing({ size: '3e2' })],
    ['with an exponent that is not needed', thing({ ratio: '3e2' })],
    ['with an exponent without digits', thing({ ratio: '3e' })],
    ['with a number out of range', thing({ ratio: '1e+309' })],
    ['with a number that could be shorter', thing({ ratio: '0.10000000000000000555' })],
    ['with a leading zero', thing({ size: '03' })],
    ['with a text for an integer', thing({ size: '"3"' })],
    ['with a number of more digits than every JSON reader keeps', thing({ ratio: '0.12345678901234567' })],
    ['with a member that the enum does not have', thing({ kind: '"DAMP"' })],
    ['with an object for a text', thing({ name: '{}' })],
    ['with a list for a text', thing({ name: '["a"]' })],
    ['with a control character in a text', thing({ name: '"a\u0001b"' })],
    ['with a line break in a text', thing({ name: '"a\nb"' })],
    ['with an unknown escape', thing({ name: String.raw`"\x41"` })],
    ['with half an escape', thing({ name: String.raw`"\u00"` })],
    ['with an invalid value', thing({ anything: '{"a":}' })],
    ['with a bracket that does not close', thing({ anything: '[1' })],
    ['with a trailing comma in any value', thing({ anything: '[1,]' })],
    ['with a malformed number in any value: 01', thing({ anything: '[01]' })],
    ['with a malformed number in any value: -', thing({ anything: '[-]' })],
    ['with a malformed number in any value: +1', thing({ anything: '[+1]' })],
    ['with a malformed number in any value: .5', thing({ anything: '[.5]' })],
    ['with a malformed number in any value: 1.', thing({ anything: '[1.]' })],
    ['with a malformed number in any value: 1.e2', thing({ anything: '[1.e2]' })],
    ['with a malformed number in any value: 1e', thing({ anything: '[1e]' })],
    ['with a malformed number in any value: 1E+', thing({ anything: '[1E+]' })],
    ['with a malformed number in any value: --1', thing({ anything: '[--1]' })],
    ['with a malformed number in any value: 0x1', thing({ anything: '[0x1]' })],
    ['with a negative zero', thing({ ratio: '-0.0' })],
    [
      'with any value that nests too deeply',
      thing({ anything: `${'['.repeat(50_000)}${']'.repeat(50_000)}` }),
    ],
    ['with bytes that are not UTF-8', Buffer.from(thing({ name: '"\u00ff"' }), 'latin1')],
    ['with half a surrogate pair', thing({ name: '"\ud800"' })],
    ['with a byte-order mark', `\ufeff${thing()}`],
    ['with more JSON after it', `${thing()}{}`],
    ['with more JSON after a zero byte', `${thing()}\0{}`],
    ['with a zero byte after it', `${thing()}\0`],
    ['without its last byte', thing().slice(0, -1)],
    ['of no bytes', ''],
  ])('%s', async (_how, response) => {
    const { data, errors, isSpliced } = await run(query, { things: response });
    expect({ data: JSON.parse(data) as unknown, errors }).toEqual(
      await runPlainly(query, { things: response }),
    );
    expect(isSpliced).toBe(false);
  });

  it('with an object of an impossible type', async () => {
    const { data, isSpliced } = await run('{ named { name } }', {
      things: '{"data":{"named":{"__typename":"Query","name":"a"}}}',
    });
    expect([JSON.parse(data), isSpliced]).toEqual([{ named: null }, false]);
  });
});

describe('The observer of bail-outs', () => {
  const things = '{"data":{"things":[{"__typename":"Thing","id":"t1"}]}}';
  const operation = '{ things { id cost note } }';

  it.each([
    [
      'reports a valid response in an unexpected form',
      '{"data":{"_entities":[{"note":null,"cost":1}]}}',
      ['costs'],
    ],
    ['reports nothing for a null entity', '{"data":{"_entities":[null]}}', []],
    ['reports nothing for an expected response', '{"data":{"_entities":[{"cost":1,"note":null}]}}', []],
    [
      'reports nothing for a response with errors',
      '{"errors":[{"message":"failed"}],"data":{"_entities":[null]}}',
      [],
    ],
    ['reports nothing for a malformed response', '{"data":{}}', []],
  ])('%s', async (_which, costs, expected) => {
    const { otherwiseWritten } = await run(operation, { things, costs });
    expect(otherwiseWritten).toEqual(expected);
  });
});

describe('The fast path', () => {
  it('keeps the keys and the order that the client selected', async () => {
    const { data, isSpliced } = await run(
      '{ thing { n: name kind size again: size ...F } } fragment F on Thing { id }',
      {
        things: '{"data":{"thing":{"n":"a","kind":"WET","size":1,"again":1,"id":"t"}}}',
      },
    );
    expect([data, isSpliced]).toEqual(['{"thing":{"n":"a","kind":"WET","size":1,"again":1,"id":"t"}}', true]);
  });

  it('writes the fields of the type that an object has', async () => {
    const named = '{ named { __typename name ... on Other { depth } ... on Thing { kind size } } }';
    const thingResponse = '{"data":{"named":{"__typename":"Thing","name":"a","kind":"WET","size":1}}}';
    const otherResponse = '{"data":{"named":{"__typename":"Other","name":"b","depth":2}}}';
    expect(await run(named, { things: thingResponse })).toMatchObject({
      data: '{"named":{"__typename":"Thing","name":"a","kind":"WET","size":1}}',
      isSpliced: true,
    });
    expect(await run(named, { things: otherResponse })).toMatchObject({
      data: '{"named":{"__typename":"Other","name":"b","depth":2}}',
      isSpliced: true,
    });
  });

  it('writes what was fetched for one type of a list', async () => {
    const { data, isSpliced } = await run('{ all { name ... on Thing { note } ... on Other { depth } } }', {
      things:
        '{"data":{"all":[{"__typename":"Thing","name":"a","id":"t1"},' +
        '{"__typename":"Other","name":"b","depth":1},{"__typename":"Thing","name":"c","id":"t3"}]}}',
      costs: '{"data":{"_entities":[{"note":"one"},{"note":"three"}]}}',
    });
    expect([data, isSpliced]).toEqual([
      '{"all":[{"name":"a","note":"one"},{"name":"b","depth":1},{"name":"c","note":"three"}]}',
      true,
    ]);
  });

  it('copies an entity to all objects that share its representation, which is sent once', async () => {
    const { data, bodies, isSpliced } = await run('{ things { id cost note } }', {
      things: ['t1', 't2', 't1']
        .reduce(
          (text, id, index) => `${text}${index > 0 ? ',' : ''}{"__typename":"Thing","id":"${id}"}`,
          '{"data":{"things":[',
        )
        .concat(']}}'),
      costs: '{"data":{"_entities":[{"cost":1,"note":"one"},{"cost":2,"note":null}]}}',
    });
    expect(JSON.parse(data)).toEqual({
      things: [
        { id: 't1', cost: 1, note: 'one' },
        { id: 't2', cost: 2, note: null },
        { id: 't1', cost: 1, note: 'one' },
      ],
    });
    expect(JSON.parse(bodies[1] ?? '')).toMatchObject({
      variables: {
        representations: [
          { __typename: 'Thing', id: 't1' },
          { __typename: 'Thing', id: 't2' },
        ],
      },
    });
    expect(isSpliced).toBe(true);
  });

  it('sends the same representations to two subgraphs at the same time', async () => {
    const { data, bodies, isSpliced } = await run('{ things { cost mark } }', {
      things:
        '{"data":{"things":[{"__typename":"Thing","id":"1"},{"__typename":"Thing","id":"2"},{"__typename":"Thing","id":"1"}]}}',
      costs: '{"data":{"_entities":[{"cost":1},{"cost":2}]}}',
      marks: '{"data":{"_entities":[{"mark":3},null]}}',
    });
    expect(data).toBe('{"things":[{"cost":1,"mark":3},{"cost":2,"mark":null},{"cost":1,"mark":3}]}');
    const [, costs, marks] = bodies.map((body): unknown => JSON.parse(body).variables?.representations);
    expect(costs).toEqual(['1', '2'].map((id) => ({ __typename: 'Thing', id })));
    expect(marks).toEqual(costs);
    expect(isSpliced).toBe(true);
  });

  it('sends each place its own representations, also where two places have the same types', async () => {
    const { data, isSpliced } = await run('{ things { cost } more: things { mark } }', {
      things:
        '{"data":{"things":[{"__typename":"Thing","id":"1"}],"more":[{"__typename":"Thing","id":"1"},{"__typename":"Thing","id":"2"}]}}',
      costs: '{"data":{"_entities":[{"cost":1}]}}',
      marks: '{"data":{"_entities":[{"mark":3},{"mark":4}]}}',
    });
    expect(data).toBe('{"things":[{"cost":1}],"more":[{"mark":3},{"mark":4}]}');
    expect(isSpliced).toBe(true);
  });

  it('reads references with equal text once, also where a text in them has braces', async () => {
    const names = ['"a"', '"}"', '"a"', '"}"', '"{\\"}"', '"a"'];
    const things = names.map((name) => `{"__typename":"Thing","id":"t","name":${name}}`);
    const responses = {
      things: `{"data":{"things":[${things.join(',')}]}}`,
      costs: '{"data":{"_entities":[{"cost":1}]}}',
    };
    const operation = '{ things { name cost } }';
    const { data, bodies, isSpliced } = await run(operation, responses);
    expect(JSON.parse(data)).toEqual({ things: names.map((name) => ({ name: JSON.parse(name), cost: 1 })) });
    expect([bodies.length, isSpliced]).toEqual([2, true]);
  });

  it('does not take a reference for known that was selected differently', async () => {
    const known = '{"__typename":"Thing","id":"t"}';
    const operation =
      '{ pairs { ... on Close { twin { id cost } } ... on Distant { twin { id name cost } } } }';
    const responses = {
      things: `{"data":{"pairs":[{"__typename":"Close","twin":${known}},{"__typename":"Distant","twin":${known}}]}}`,
      costs: '{"data":{"_entities":[{"cost":1}]}}',
    };
    const { data, errors } = await run(operation, responses);
    expect({ data: JSON.parse(data) as unknown, errors }).toEqual(await runPlainly(operation, responses));
    expect(errors).toEqual(['pairs.1.twin.name']);
  });

  it('sends the input of a @requires that is part of a longer byte range, beyond ASCII as well', async () => {
    const { data, bodies, isSpliced } = await run('{ thing { name level weighted } }', {
      things: '{"data":{"thing":{"__typename":"Thing","id":"ö","name":"ä","level":7}}}',
      costs: '{"data":{"_entities":[{"weighted":14}]}}',
    });
    expect([data, isSpliced]).toEqual(['{"thing":{"name":"ä","level":7,"weighted":14}}', true]);
    expect(JSON.parse(bodies[1] ?? '')).toMatchObject({
      variables: { representations: [{ __typename: 'Thing', level: 7, id: 'ö' }] },
    });
  });

  it("gives the slow path's result when a later subgraph response makes it bail out", async () => {
    const things = '{"data":{"things":[{"__typename":"Thing","id":"t1"},{"__typename":"Thing","id":"t2"}]}}';
    const costs = '{"data":{"_entities":[{"note":null,"cost":1},null]}}';
    const operation = '{ things { id cost note } }';
    const { data, errors, isSpliced } = await run(operation, { things, costs });
    expect({ data: JSON.parse(data) as unknown, errors }).toEqual(
      await runPlainly(operation, { things, costs }),
    );
    expect(isSpliced).toBe(false);
  });

  it.each([
    [
      'a nullable value',
      '{ things { id note } }',
      '{"data":{"things":[{"id":"t1","note":null},{"id":"t2","note":"n"}]}}',
    ],
    [
      'an object that lacks a value',
      '{ maybe { id cost } }',
      '{"data":{"maybe":[null,{"id":"t2","cost":1}]}}',
    ],
    ['the items of a list', '{ maybe { cost note } }', '{"data":{"maybe":[null,{"cost":1,"note":"n"}]}}'],
  ])('writes null for a missing entity: for %s', async (_what, operation, expected) => {
    const list = '[{"__typename":"Thing","id":"t1"},{"__typename":"Thing","id":"t2"}]';
    const members = ['cost', 'note'].filter((name) => operation.includes(name));
    const found = members.map((name) => `"${name}":${name === 'cost' ? '1' : '"n"'}`).join(',');
    const { bytes, errors, isSpliced } = await run(operation, {
      things: `{"data":{"${operation.includes('maybe') ? 'maybe' : 'things'}":${list}}}`,
      costs: `{"data":{"_entities":[null,{${found}}]}}`,
    });
    expect([bytes.toString(), errors, isSpliced]).toEqual([expected, [], true]);
  });

  it.each([
    ['a value', '{ maybe { level cost } }', '"level":1', ['maybe.0.cost']],
    ['one value of two', '{ maybe { size name cost } }', '"size":null,"name":"n"', ['maybe.0.cost']],
    ['a null', '{ maybe { size cost } }', '"size":null', []],
  ])(
    'reports a missing entity with which %s of another subgraph is lost: %s',
    async (_what, operation, known, paths) => {
      const things = ['t1', 't2'].map((id) => `{"__typename":"Thing",${known},"id":"${id}"}`);
      const responses = {
        things: `{"data":{"maybe":[${things.join(',')}]}}`,
        costs: '{"data":{"_entities":[null,{"cost":1}]}}',
      };
      const { data, errors } = await run(operation, responses);
      expect([data, errors]).toEqual([`{"maybe":[null,{${known},"cost":1}]}`, paths]);
      expect({ data: JSON.parse(data) as unknown, errors }).toEqual(await runPlainly(operation, responses));
    },
  );

  it('keeps what it has fetched when it bails out after the same key came in two spellings', async () => {
    const things =
      '{"data":{"things":[{"__typename":"Thing","id":"é"},{"__typename":"Thing","id":"\\u00e9"}]}}';
    const entity = '{"note":"n","cost":1}';
    const { data, errors, isSpliced } = await run('{ things { id cost note } }', {
      things,
      costs: `{"data":{"_entities":[${entity},${entity}]}}`,
    });
    const expected = { id: 'é', cost: 1, note: 'n' };
    expect([JSON.parse(data), errors, isSpliced]).toEqual([{ things: [expected, expected] }, [], false]);
  });

  it('writes a large response', async () => {
    const parts = Array.from({ length: 20_000 }, (_, index) => `{"name":"part ${index}","width":${index}}`);
    const response = thing({ parts: `[${parts.join(',')}]` });
    const { data, isSpliced } = await run(query, { things: response });
    expect([data === response.slice('{"data":'.length, -1), isSpliced]).toEqual([true, true]);
  });

  it('shows nothing of an earlier execution', async () => {
    const response = thing();
    await run(query, { things: response });
    for (let length = 0; length < response.length; length += 1) {
      const { data, errors } = await run(query, { things: response.slice(0, length) });
      expect([data, errors]).toEqual(['{"thing":null}', ['thing']]);
    }
  });

  it('encodes the bytes of the whole result like its data', async () => {
    const { data, bytes } = await run(query, { things: thing({ name: '"ünïcödé 🎈"' }) });
    expect(bytes.toString()).toBe(`{"data":${data}}`);
    expect(data).toContain('ünïcödé 🎈');
  });
});
