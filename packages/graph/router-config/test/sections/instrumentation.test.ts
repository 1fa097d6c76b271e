import { describe, expect, it } from '@jest/globals';

import { check, configOf, faultsOf } from '../read.fixture.ts';

const place = 'telemetry.instrumentation';

function fileWith(instrumentation: object): string {
  return JSON.stringify({ telemetry: { instrumentation } });
}

/** The faults of an attribute of a span. */
function attributeFaults(
  value: unknown,
  stage: 'router' | 'supergraph' | 'subgraph' = 'router',
  name = 'mine',
): readonly string[] {
  const faults = faultsOf(fileWith({ spans: { [stage]: { attributes: { [name]: value } } } }));
  return faults.map((fault) => fault.replace(`${place}.spans.${stage}.attributes.${name}`, ''));
}

function conditionFaults(condition: unknown): readonly string[] {
  return attributeFaults({ static: 'x', condition }).map((fault) => fault.replace('.condition', ''));
}

describe('A selector', () => {
  it('is read with its argument, its default and its condition', () => {
    const { spans } = configOf(
      fileWith({
        spans: {
          router: {
            attributes: {
              shop: { request_header: 'X-Shop', default: 'none' },
              code: { response_errors: '$.[0].extensions.code', condition: { exists: { env: 'HOME' } } },
              'url.path': true,
              'http.route': { alias: 'route' },
            },
          },
        },
      }),
    ).telemetry.instrumentation;
    expect(Object.fromEntries(spans.router.attributes)).toEqual({
      shop: {
        kind: 'custom',
        selector: { name: 'request_header', argument: 'x-shop', fallback: 'none' },
        condition: undefined,
      },
      code: {
        kind: 'custom',
        selector: { name: 'response_errors', argument: [0, 'extensions', 'code'], fallback: undefined },
        condition: { kind: 'exists', selector: { name: 'env', argument: 'HOME', fallback: undefined } },
      },
      'url.path': { kind: 'standard', isOn: true, alias: undefined },
      'http.route': { kind: 'standard', isOn: true, alias: 'route' },
    });
  });

  it.each([
    [
      { request_heder: 'x' },
      ': request_heder is not a selector; the nearest selector of router is request_header',
    ],
    [
      { subgraph_name: true },
      ': subgraph_name is a selector of subgraph, not of router; the nearest selector of router is operation_name',
    ],
    [
      { studio_operation_id: true },
      ': Apollo Router has the selector studio_operation_id, and this gateway does not: nothing is sent to Apollo; operation_name: hash distinguishes operations',
    ],
    [
      { request_header: 'no spaces here' },
      '.request_header: holds a text of another form; it takes the name of a header field',
    ],
    [
      { response_status: 'number' },
      '.response_status: holds a text of another form; it takes code or reason',
    ],
    [
      { response_errors: '$..code' },
      '.response_errors: holds a text of another form; it takes a JSONPath of names, indexes and *, such as $[0].extensions.code',
    ],
    [{ request_header: 'a', env: 'B' }, ': has request_header and env; it takes one selector'],
    [
      { request_header: 'a', default: [] },
      '.default: holds a list; it takes a text, a number, true or false',
    ],
    [{}, ': holds no selector; it takes one, such as request_header: x-name'],
    [['a'], ': holds a list; it takes a selector, such as request_header: x-name'],
    [true, ': is not an attribute with a known value of router; the nearest is baggage'],
  ])('that is not valid stops the start: %j', (value, fault) => {
    expect(attributeFaults(value)).toEqual([fault]);
  });

  it('of the client’s header at a subgraph fetch is named', () => {
    expect(attributeFaults({ request_header: 'x' }, 'subgraph')).toEqual([
      ': request_header is a selector of router and supergraph, not of subgraph; the nearest selector of subgraph is subgraph_request_header',
    ]);
  });

  it('has no known value for some attributes of Apollo Router', () => {
    expect(attributeFaults(true, 'router', 'network.local.port')).toEqual([
      ': Apollo Router has this attribute, and this gateway does not know its value; false leaves it out',
    ]);
    expect(attributeFaults(false, 'router', 'network.local.port')).toEqual([]);
  });
});

describe('A condition', () => {
  it.each([
    [{ equals: [] }, ': has equals; it takes true, false, or one of eq, gt, lt, exists, not, all, any'],
    [{ eq: [1] }, '.eq: holds 1 values; it compares two'],
    [{ eq: 'x' }, '.eq: holds a text of another form; it takes a list'],
    [
      { all: [{ any: [{ eq: [1, { heeder: 'x' }] }] }] },
      '.all[0].any[0].eq[1]: heeder is not a selector; the nearest selector of router is error',
    ],
    [
      { eq: [1, 1], not: true },
      ': has eq and not; it takes true, false, or one of eq, gt, lt, exists, not, all, any',
    ],
    [
      'sometimes',
      ': holds a text of another form; it takes true, false, or one of eq, gt, lt, exists, not, all, any',
    ],
  ])('that is not valid stops the start: %j', (condition, fault) => {
    expect(conditionFaults(condition)).toEqual([fault]);
  });

  it('nests to a limit', () => {
    const nested = (depth: number): unknown => (depth === 0 ? true : { not: nested(depth - 1) });
    expect(conditionFaults(nested(20))).toEqual([]);
    expect(conditionFaults(nested(100))).toEqual([expect.stringContaining('nests more than 32 conditions')]);
  });
});

describe('A metric of the file’s own', () => {
  const valid = { value: 'unit', type: 'counter', unit: '1', description: 'd' };

  it.each([
    [{ ...valid, type: 'gauge' }, '.type: holds a text of another form; it takes counter or histogram'],
    [
      { ...valid, value: 'length' },
      '.value: holds a text of another form; it takes duration, unit, or a selector',
    ],
    [
      { ...valid, labels: {} },
      '.labels: is unknown; it takes type, value, unit, description, attributes, condition',
    ],
    [
      true,
      ': is a metric of the file’s own, and takes type, value, unit, description, attributes, condition; known ones of router are http.server.active_requests, http.server.request.body.size, http.server.request.duration, http.server.response.body.size',
    ],
  ])('that is not valid stops the start: %j', (value, fault) => {
    const faults = faultsOf(fileWith({ instruments: { router: { mine: value } } }));
    expect(faults).toEqual([`${place}.instruments.router.mine${fault}`]);
  });

  it('cannot add attributes to the requests under way', () => {
    const attributes = { 'http.request.method': true, 'url.scheme': false, shop: { env: 'SHOP' } };
    const instruments = { router: { 'http.server.active_requests': { attributes } } };
    expect(faultsOf(fileWith({ instruments }))).toEqual([
      `${place}.instruments.router.http.server.active_requests.attributes: requests under way are counted by http.request.method alone`,
    ]);
  });
});

describe('An event of the file’s own', () => {
  const valid = { message: 'm', level: 'info', on: 'request' };

  it.each([
    [{ ...valid, level: 'loud' }, '.level: holds a text of another form; it takes info, warn, error, off'],
    [{ ...valid, on: 'sleep' }, '.on: holds a text of another form; it takes request, response, error'],
    [{ ...valid, message: 1 }, '.message: holds 1; it takes a text'],
    [
      { ...valid, attributes: { code: { response_status: 'code' } } },
      '.attributes.code: response_status is known only with the response, and this is evaluated at the request; on: response is later',
    ],
    [
      { ...valid, attributes: { 'http.response.status_code': true } },
      '.attributes.http.response.status_code: http.response.status_code is known only with the response, and this is evaluated at the request; on: response is later',
    ],
    [
      { ...valid, attributes: { level: { env: 'LEVEL' } } },
      '.attributes.level: is a member of every line of the log; choose another name',
    ],
    [
      'info',
      ': is an event of the file’s own, and takes message, level, on, condition, attributes; known ones are request, response, error',
    ],
  ])('that is not valid stops the start: %j', (value, fault) => {
    const faults = faultsOf(fileWith({ events: { router: { mine: value } } }));
    expect(faults).toEqual([`${place}.events.router.mine${fault}`]);
  });
});

describe('The check of a file', () => {
  it('takes variables in attributes, and says of each name what it does', () => {
    const { keys, faults } = check(
      fileWith({
        spans: {
          router: { attributes: { zone: '${env.ZONE}', shop: { request_header: '${env.SHOP_HEADER}' } } },
        },
        instruments: { cache: { anything: true }, graphql: { 'field.execution': true } },
        events: { subgraph: { response: 'info' }, connector: { response: 'info' } },
      }),
    );
    expect(faults).toEqual([]);
    expect(keys.map(({ path, verdict }) => [path.replace(`${place}.`, ''), verdict])).toEqual([
      ['spans.router.attributes.zone', 'free'],
      ['spans.router.attributes.shop', 'free'],
      ['instruments.cache', 'without effect'],
      ['instruments.graphql', 'without effect'],
      ['events.subgraph.response', 'free'],
      ['events.connector', 'without effect'],
    ]);
  });
});
