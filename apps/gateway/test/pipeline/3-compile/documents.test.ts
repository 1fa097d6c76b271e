import { beforeAll, describe, expect, it } from '@jest/globals';
import { OverlappingFieldsCanBeMergedRule, buildSchema, parse, validate } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';

import { mergedOperation } from '../../../src/pipeline/3-compile/merged-operation.ts';
import { onlyOperation } from '../../../src/pipeline/3-compile/choose-operation.ts';
import type { ClientSideResponse } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const draft = { Accept: 'application/graphql-response+json' };

const gateway = useTestGateway();

beforeAll(() => gateway.start());
const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

function ask(query: string, members: object = {}): Promise<ClientSideResponse> {
  return gateway.post({ query, ...members }, draft);
}

describe('A document', () => {
  it('with several operations costs no more than the one to run, and only that one is validated', async () => {
    const others = repeated(
      48,
      (index) => `query Q${index} { ...F${index} nothing } fragment F${index} on Query { time }`,
    );
    const { body } = await ask(`query A { ...Own } fragment Own on Query { time } ${others}`, {
      operationName: 'A',
    });
    expect(body).toEqual({ data: { time: 'now' } });
  });

  it.each([
    ['operations', 'more than 50 operations', repeated(50, (index) => `query Q${index} { time }`)],
    [
      'fragments',
      'more than 500 fragments',
      repeated(501, (index) => `fragment F${index} on Query { time }`),
    ],
    [
      'selections in a set',
      'more than 500 selections',
      `fragment F on Query { ${repeated(501, (index) => `a${index}: time`)} }`,
    ],
  ])('with too many %s is answered with 400 GRAPHQL_VALIDATION_FAILED', async (_what, message, rest) => {
    const response = await ask(`query A { time } ${rest}`, { operationName: 'A' });
    expect(response).toMatchObject({ status: 400, code: 'GRAPHQL_VALIDATION_FAILED' });
    expect(response.body.errors?.[0]?.message).toContain(message);
  });

  it('whose fragments and inline fragments nest deeper than the limit on brackets is answered with PARSING_ERROR, wherever they are spread', async () => {
    const level = '... { '.repeat(100);
    const end = '}'.repeat(100);
    const chain = repeated(6, (index) => `fragment F${index} on Query { ${level} ...F${index + 1} ${end} }`);
    const deep = `${chain} fragment F6 on Query { time }`;
    expect(await ask(`query A { ...F0 } ${deep}`)).toMatchObject({ status: 400, code: 'PARSING_ERROR' });
    expect(await ask(`query A { ...F4 ... { ...F0 } } ${deep}`)).toMatchObject({ code: 'PARSING_ERROR' });
    expect(
      (
        await ask(
          `query A { ...F4 } ${repeated(2, (index) => `fragment F${index + 4} on Query { ${level} ...F${index + 5} ${end} }`)} fragment F6 on Query { time }`,
        )
      ).body,
    ).toEqual({ data: { time: 'now' } });
  });

  it('with @stream gets an error that says that the gateway does not support it', async () => {
    const { body, code } = await ask('query A { ... @stream { time } }');
    expect(code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(body.errors?.[0]?.message).toContain('The gateway does not support @stream');
  });
});

describe('onlyOperation', () => {
  const limits = { max_operations: 50, max_fragments: 500 };
  const namesIn = (text: string): unknown[] => {
    const document = parse(text, { noLocation: true });
    const only = onlyOperation(document, document.definitions[0] as OperationDefinitionNode, limits);
    return only.definitions.map((definition) => 'name' in definition && definition.name?.value);
  };

  it.each([
    [
      'leaves out another operation, and the fragments that it alone spreads',
      'query A { ...F } query B { ...F ...G } fragment F on T { x } fragment G on T { ...H } fragment H on T { x }',
      ['A', 'F'],
    ],
    [
      'keeps a fragment that nothing spreads, which is an error',
      'query A { x } query B { ...F } fragment F on T { x } fragment G on T { x }',
      ['A', 'G'],
    ],
    [
      'keeps a second operation of the name, which is an error',
      'query A { x } query A { ...F } fragment F on T { x }',
      ['A', 'A', 'F'],
    ],
    [
      'keeps an operation without a name, which is an error beside others',
      'query A { x } { x }',
      ['A', undefined],
    ],
  ])('%s', (_rule, text, names) => {
    expect(namesIn(text)).toEqual(names);
  });
});

describe('mergedOperation', () => {
  const schema = buildSchema(`
    type Query { a(n: Int, m: Int): A  b: B  node: Node  nodes: [Node] }
    interface Node { id: ID  name: String  next: Node }
    type A implements Node { id: ID  name: String  next: Node  size: Int  a(n: Int, m: Int): A  b: B }
    type B implements Node { id: ID  name: String  next: Node  size: String  a(n: Int, m: Int): A }
  `);
  const isValid = (document: ReturnType<typeof parse>): boolean =>
    validate(schema, document, [OverlappingFieldsCanBeMergedRule]).length === 0;

  // The first of a pair can be merged, the second cannot.
  it.each([
    ['{ a { id } a { name } }', '{ a { x: id } a { x: name } }'],
    ['{ a(n: 1, m: 2) { id } a(m: 2, n: 1) { name } }', '{ a(n: 1) { id } a(n: 2) { id } }'],
    ['query ($v: Int) { a(n: $v) { id } a(n: $v) { id } }', 'query ($v: Int) { a(n: $v) { id } a { id } }'],
    [
      '{ node { ... on A { x: id } ... on B { x: id } } }',
      '{ node { ... on A { x: size } ... on B { x: size } } }',
    ],
    [
      '{ node { ... on A { x: name } ... on B { x: id: id } } }'.replace('x: id: id', 'y: id'),
      '{ node { ... on A { x: name } ... on Node { x: id } } }',
    ],
    [
      '{ node { ... on A { a(n: 1) { id } } ... on B { a(n: 2) { id } } } }',
      '{ node { ... on A { a(n: 1) { id } } ... on B { a(n: 2) { id: name } } } }',
    ],
    [
      '{ a { ...F } a { ...F ...G } } fragment F on A { b { id } } fragment G on A { b { name } }',
      '{ a { ...F } a { ...G } } fragment F on A { b { x: id } } fragment G on A { b { x: name } }',
    ],
    [
      '{ a { next { next { ...F } } next { ...F } } } fragment F on Node { next { id } }',
      '{ a { next { next { id } } next { ...F } } } fragment F on Node { next { id: name } }',
    ],
    ['{ a { id @skip(if: true) } a { id } }', '{ a { id: name @skip(if: true) } a { id } }'],
  ])('is equivalent to the document that it is made of: %s, %s', (mergeable, conflicting) => {
    for (const [text, expected] of [
      [mergeable, true],
      [conflicting, false],
    ] as const) {
      const document = parse(text);
      expect(isValid(document)).toBe(expected);
      expect(isValid(mergedOperation(document, document.definitions[0] as OperationDefinitionNode))).toBe(
        expected,
      );
    }
  });

  it('refuses a document whose fragments multiply beyond the bound', () => {
    const document = parse(
      `{ ...F0 } ${repeated(30, (index) => `fragment F${index} on A { x: b { a { ...F${index + 1} } } y: b { a { ...F${index + 1} } } }`)} fragment F30 on A { id }`,
    );
    expect(() => mergedOperation(document, document.definitions[0] as OperationDefinitionNode)).toThrow(
      'too many fields',
    );
  });
});
