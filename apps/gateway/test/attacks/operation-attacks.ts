// Long because it is data: requests that try to make the gateway work, leak or fail, each with the code of its
// rejection.
import type { RequestErrorCode } from '../../src/errors/error-codes.ts';

/** A request that an attacker sends, over the shop's subgraphs, with a valid token. */
export interface Attack {
  readonly name: string;
  readonly method?: 'GET';
  /** The members of the request, or its body as it is. */
  readonly request: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: RequestErrorCode;
}

const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

const query = (selections: string, rest = ''): object => ({
  query: `query Attack { ${selections} } ${rest}`,
});

/** Fragments that each spread the next one twice, so that their expansion grows exponentially. */
const doublingFragments = (count: number): string =>
  `${repeated(count, (index) => `fragment F${index} on Product { parts { ...F${index + 1} ...F${index + 1} } }`)} fragment F${count} on Product { id }`;

const batch = (count: number): string => JSON.stringify(Array.from({ length: count }, () => query('time')));

const deepJson = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** The codes of an operation that is over a limit, whatever its fields are. */
const floods: readonly Attack[] = [
  {
    name: '31 aliases',
    request: query(repeated(31, (index) => `a${index}: time`)),
    code: 'MAX_ALIASES_LIMIT',
  },
  {
    name: '4 000 aliases of one expensive field',
    request: query(`product(id: "1") { ${repeated(4000, (index) => `a${index}: parts { id }`)} }`),
    code: 'PARSING_ERROR',
  },
  {
    name: '2 000 aliases below the root',
    request: query(`product(id: "1") { ${repeated(2000, (index) => `a${index}: parts { id }`)} }`),
    code: 'MAX_ALIASES_LIMIT',
  },
  {
    name: '21 root fields, of one name',
    request: query(repeated(21, () => 'time')),
    code: 'MAX_ROOT_FIELDS_LIMIT',
  },
  {
    name: 'aliases by way of a fragment that is spread many times',
    request: query(
      `product(id: "1") { ${repeated(2000, () => '...A')} }`,
      'fragment A on Product { a: id b: id }',
    ),
    code: 'MAX_ALIASES_LIMIT',
  },
  {
    name: 'fragments that double 14 times',
    request: query('product(id: "1") { ...F0 }', doublingFragments(14)),
    code: 'MAX_DEPTH_LIMIT',
  },
  {
    name: 'fragments that double 240 times',
    request: query('product(id: "1") { ...F0 }', doublingFragments(240)),
    code: 'MAX_DEPTH_LIMIT',
  },
  {
    name: 'a fragment that spreads itself',
    request: query('product(id: "1") { ...A }', 'fragment A on Product { id ...A }'),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: 'a cycle of 1 000 fragments',
    request: query(
      'product(id: "1") { ...F0 }',
      repeated(1000, (index) => `fragment F${index} on Product { id ...F${(index + 1) % 1000} }`),
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '1 000 fragments that nothing spreads',
    request: query(
      'time',
      repeated(1000, (index) => `fragment F${index} on Product { id }`),
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '7 000 directives that there are not',
    request: query(`time ${repeated(7000, () => '@a')}`),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '2 000 times @skip on one field',
    request: query(`time ${repeated(2000, () => '@skip(if: false)')}`),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '14 000 times __typename at the root',
    request: query(repeated(14_000, () => '__typename')),
    code: 'MAX_ROOT_FIELDS_LIMIT',
  },
  {
    name: '15 001 tokens',
    // `query Attack { … }` has four of its own.
    request: query(repeated(14_997, () => '__typename')),
    code: 'PARSING_ERROR',
  },
  {
    name: '500 000 tokens',
    request: query(repeated(500_000, () => 'a')),
    code: 'PARSING_ERROR',
  },
  {
    name: '13 levels',
    request: query(`product(id: "1") { ${'parts { '.repeat(11)} id ${'}'.repeat(11)} }`),
    code: 'MAX_DEPTH_LIMIT',
  },
  {
    name: '100 000 open braces',
    request: { query: '{'.repeat(100_000) },
    code: 'PARSING_ERROR',
  },
  {
    name: 'a list value that nests 10 000 times',
    request: query(`search(filter: ${deepJson(10_000)}) { id }`),
    code: 'PARSING_ERROR',
  },
  {
    name: '1 000 operations in one document',
    request: {
      query: repeated(1000, (index) => `query Q${index} { time }`),
    },
    code: 'GRAPHQL_UNKNOWN_OPERATION_NAME',
  },
  {
    name: '1 000 operations over a chain of 1 000 fragments, 48 kB, legal but for its size',
    request: {
      operationName: 'Q0',
      query: `${repeated(1000, (index) => `query Q${index} { ...F0 }`)} ${repeated(1000, (index) => `fragment F${index} on Query { ${index === 999 ? 'time' : `...F${index + 1}`} }`)}`,
    },
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: 'a chain of inline fragments 2 500 levels deep, by way of fragments',
    request: query(
      '...F0',
      repeated(
        6,
        (index) =>
          `fragment F${index} on Query { ${'...{ '.repeat(420)} ${index === 5 ? 'time' : `...F${index + 1}`} ${'}'.repeat(420)} }`,
      ),
    ),
    code: 'PARSING_ERROR',
  },
  {
    name: '2 990 times the same field with one below it',
    request: query(`product(id: "1") { ${repeated(2990, () => 'supplier { id }')} }`),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '490 fields of one name with different arguments',
    request: query(`product(id: "1") { ${repeated(490, (index) => `parts(first: ${index}) { id }`)} }`),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '1 100 fragments in one selection',
    request: query(
      `product(id: "1") { ${repeated(1100, (index) => `...F${index}`)} }`,
      repeated(1100, (index) => `fragment F${index} on Product { supplier { id } }`),
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '490 fragments in one selection, which disagree',
    request: query(
      `product(id: "1") { ${repeated(490, (index) => `...F${index}`)} }`,
      repeated(490, (index) => `fragment F${index} on Product { parts(first: ${index}) { id } }`),
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '3 000 variables that nothing uses',
    request: { query: `query Attack(${repeated(3000, (index) => `$v${index}: Int`)}) { time }` },
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
];

/** An object of members that no input type has. */
const unknownMembers = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

export const search =
  'query Attack($filter: Filter, $id: ID! = "1") { search(filter: $filter) { id } product(id: $id) { id } }';

/** Variables of `search` that are within every limit on JSON, and of the wrong type. */
const faultyVariables = [
  { name: 'an input object of 24 000 unknown members', variables: { filter: unknownMembers(24_000, 1) } },
  {
    name: 'an input object of 24 000 unknown members, texts of 60',
    variables: { filter: unknownMembers(24_000, 'x'.repeat(60)) },
  },
  {
    name: 'an input object of 8 000 unknown members, which nest',
    variables: { filter: unknownMembers(8000, { a: { b: 1 } }) },
  },
  {
    name: 'an input object of 24 000 unknown members, within another',
    variables: { filter: { page: unknownMembers(24_000, 1) } },
  },
  { name: 'an object of 24 000 members where an ID is due', variables: { id: unknownMembers(24_000, 1) } },
  {
    name: 'a list of 12 000 objects where an ID is due',
    variables: { id: Array.from({ length: 12_000 }, () => ({})) },
  },
];

const sizes: readonly Attack[] = [
  {
    name: 'a body of 2 MB and a byte',
    request: JSON.stringify({ query: 'query Attack { time }' }).padEnd(2_000_001),
    code: 'PAYLOAD_TOO_LARGE',
  },
  {
    name: 'a text of 1.9 MB where a number is due',
    request: {
      query: 'query Attack($first: Int!) { topProducts(first: $first) { id } }',
      variables: { first: 'x'.repeat(1_900_000) },
    },
    code: 'VALIDATION_INVALID_TYPE_VARIABLE',
  },
  {
    name: 'a field name of 1.9 MB',
    request: query('x'.repeat(1_900_000)),
    code: 'PARSING_ERROR',
  },
  {
    name: 'a field name of 240 kB',
    request: query('x'.repeat(240_000)),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: 'a text of 900 000 letters',
    request: query(`found(by: "${'Ж'.repeat(900_000)}")`),
    code: 'PARSING_ERROR',
  },
  {
    name: 'a block string of 600 000 lines',
    request: query(`found(by: """${'x\n'.repeat(600_000)}""")`),
    code: 'PARSING_ERROR',
  },
  {
    name: 'a block string of 120 000 lines, as long as a document may be',
    request: query(`found(by: """${'x\n'.repeat(120_000)}""")`),
    code: 'PARSING_ERROR',
  },
  {
    name: 'a text of 1.9 MB that does not end',
    request: query(`product(id: "${'x'.repeat(1_900_000)}`),
    code: 'PARSING_ERROR',
  },
  {
    name: 'variables that nest 500 000 times',
    request: `{"query": "query Attack($filter: Filter) { search(filter: $filter) { id } }", "variables": {"filter": ${deepJson(500_000)}}}`,
    code: 'BAD_REQUEST',
  },
  {
    name: '100 000 variables that are not declared, and a missing one',
    request: {
      query: 'query Attack($first: Int!) { topProducts(first: $first) { id } }',
      variables: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`v${index}`, 1])),
    },
    code: 'BAD_REQUEST',
  },
  ...faultyVariables.map(({ name, variables }): Attack => ({
    name,
    request: { query: search, variables },
    code: 'VALIDATION_INVALID_TYPE_VARIABLE',
  })),
  {
    name: 'a page of a million',
    request: query('topProducts(first: 1000000) { id }'),
    code: 'PAGE_SIZE_LIMIT',
  },
  {
    name: 'a page of less than nothing',
    request: {
      query: 'query Attack($first: Int!) { topProducts(first: $first) { id } }',
      variables: { first: -1 },
    },
    code: 'PAGE_SIZE_LIMIT',
  },
  {
    name: 'pages within their bounds that multiply',
    request: query('topProducts(first: 100) { parts(first: 20) { reviews(first: 100) { id } } }'),
    code: 'COST_ESTIMATED_TOO_EXPENSIVE',
  },
  { name: 'a batch of two', request: batch(2), code: 'BATCHING_NOT_ENABLED' },
  { name: 'a batch of 10 000', request: batch(10_000), code: 'BATCHING_NOT_ENABLED' },
];

const secrets: readonly Attack[] = [
  {
    name: 'introspection',
    request: query('__schema { types { name } }'),
    code: 'INTROSPECTION_DISABLED',
  },
  {
    name: 'introspection behind an alias, in a fragment',
    request: query('...A', 'fragment A on Query { time: __type(name: "Query") { fields { name } } }'),
    code: 'INTROSPECTION_DISABLED',
  },
  {
    name: '_entities, as only the gateway may ask for it',
    request: query(
      '_entities(representations: [{__typename: "Product", id: "1"}]) { ... on Product { cost } }',
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '_service',
    request: query('_service { sdl }'),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: 'a name that is nearly one of the schema',
    request: query('topProduct { id }'),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
];

const ways: readonly Attack[] = [
  {
    name: 'the identifier __proto__',
    request: { extensions: { persistedQuery: { version: 1, sha256Hash: '__proto__' } } },
    code: 'PERSISTED_QUERY_NOT_IN_LIST',
  },
  {
    name: 'the identifier ../../etc/passwd',
    request: { extensions: { persistedQuery: { version: 1, sha256Hash: '../../etc/passwd' } } },
    code: 'PERSISTED_QUERY_NOT_IN_LIST',
  },
  {
    name: 'an identifier with another text',
    request: {
      query: 'query Attack { time }',
      extensions: { persistedQuery: { version: 1, sha256Hash: 'listed' } },
    },
    code: 'CANNOT_SEND_PQ_ID_AND_BODY',
  },
  {
    name: 'the operation name __proto__',
    request: { query: 'query Attack { time }', operationName: '__proto__' },
    code: 'GRAPHQL_UNKNOWN_OPERATION_NAME',
  },
  {
    name: 'an alias __proto__ with a field below that there is not',
    request: query('__proto__: product(id: "1") { constructor }'),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: 'variables with a member __proto__ in place of what is due',
    request:
      '{"query": "query Attack($first: Int!) { topProducts(first: $first) { id } }", "variables": {"__proto__": {"first": 1}}}',
    code: 'VALIDATION_INVALID_TYPE_VARIABLE',
  },
  {
    name: 'a mutation by GET',
    method: 'GET',
    request: { query: 'mutation Attack { restock(id: "1") }' },
    code: 'METHOD_NOT_ALLOWED',
  },
  {
    name: 'a form that a foreign page sends',
    request: 'query=mutation{restock(id:"1")}',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  {
    name: 'JSON that calls itself a text, as a foreign page may send it',
    request: query('time'),
    headers: { 'Content-Type': 'text/plain' },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  {
    name: 'a GET from a foreign page',
    method: 'GET',
    request: query('time'),
    headers: { 'apollo-require-preflight': '' },
    code: 'BAD_REQUEST',
  },
  { name: 'bad JSON', request: '{"query": "query Attack { time }"', code: 'BAD_REQUEST' },
  { name: 'a query that is not a text', request: { query: ['query Attack { time }'] }, code: 'BAD_REQUEST' },
  {
    name: 'a subscription',
    request: { query: 'subscription Attack { time }' },
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    name: '@defer',
    request: query('... @defer { time }'),
    code: 'DEFER_BAD_HEADER',
  },
  { name: 'no name', request: { query: '{ time }' }, code: 'ANONYMOUS_OPERATION' },
];

/** A request that is measured, whatever its response. */
export type Burden = Omit<Attack, 'code'>;

const asVariable = ({ name, by }: { readonly name: string; readonly by: string }): Burden => ({
  name,
  request: `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"found"}},"variables":{"by":${by}}}`,
});

/** Variables of a persisted operation that takes any JSON: within every limit, and accepted. */
export const legalVariables: readonly Burden[] = [
  { name: 'a variable that nests 400 times', by: `{"a":${deepJson(400)}}` },
  { name: 'a variable of 390 kB of eyJ-', by: JSON.stringify('eyJ-'.repeat(97_500)) },
  { name: 'a variable of 24 000 numbers', by: `[${'1,'.repeat(24_000)}1]` },
  { name: 'a variable of 1.9 MB', by: JSON.stringify('x'.repeat(1_900_000)) },
].map(asVariable);

/** Variables of persisted operations that are rejected. */
export const refusedVariables: readonly Burden[] = [
  asVariable({ name: 'a variable that nests 20 000 times', by: deepJson(20_000) }),
  ...faultyVariables.map(({ name, variables }) => ({
    name: `${name}, by identifier`,
    request: { extensions: { persistedQuery: { version: 1, sha256Hash: 'search' } }, variables },
  })),
];

/** Literals and documents within the limits of an empty router.yaml, which are accepted. */
export const legalLiterals: readonly Burden[] = [
  { name: 'a list literal that nests 20 times', request: query(`found(by: ${deepJson(20)})`) },
  { name: 'a list literal that nests 480 times', request: query(`found(by: ${deepJson(480)})`) },
  {
    name: 'an object literal that nests 240 times',
    request: query(`found(by: ${'{a:'.repeat(240)}1${'}'.repeat(240)})`),
  },
  { name: 'a literal of 7 000 lists', request: query(`found(by: [${'[]'.repeat(7000)}])`) },
  { name: 'a text of 240 000 letters', request: query(`found(by: "${'Ж'.repeat(240_000)}")`) },
  { name: 'a block string of 14 900 lines', request: query(`found(by: """${'x\n'.repeat(14_900)}""")`) },
  {
    name: '49 other operations of 250 fields',
    request: {
      operationName: 'A',
      query: `query A { time } ${repeated(49, (index) => `query B${index} { ${repeated(250, () => 'time')} }`)}`,
    },
  },
  {
    name: '490 fields of one name, each with fields below',
    request: query(`product(id: "1") { ${repeated(490, (index) => `supplier { id n${index}: name }`)} }`),
  },
  {
    name: '490 fragments in one selection, which agree',
    request: query(
      `product(id: "1") { ${repeated(490, (index) => `...F${index}`)} }`,
      repeated(490, (index) => `fragment F${index} on Product { supplier { id n${index}: name } }`),
    ),
  },
];

/** Every attack through an operation. */
export const operationAttacks: readonly Attack[] = [...floods, ...sizes, ...secrets, ...ways];
