import { describe, expect, it } from '@jest/globals';

import { faultsOf } from '../read.fixture.ts';

describe('A header rule', () => {
  it.each([
    ['propagate: { named: authorization }'],
    ['propagate: { named: x-one, rename: x-other, default: none }'],
    ['propagate: { matching: "^x-" }'],
    ['insert: { name: x-gateway, value: meridian }'],
    ['insert: { name: x-tenant, from_context: "meridian::tenant_id" }'],
    ['insert: { name: x-operation, path: ".operationName", default: none }'],
    [`insert: { name: x-first, path: "$.variables['a b'][0].id" }`],
    ['insert: { name: x-all, path: "$.variables.orders[*].id" }'],
    ['insert: { name: x-user, from_context: "my-team::user" }'],
    ['insert: { name: x-claims, from_context: "apollo::authentication::jwt_claims" }'],
    ['propagate: { matching: "^*" }'],
    ['propagate: { matching: "^x-[^*]$?" }'],
    ['propagate: { matching: "(?i)^X\\\\-Trace" }'],
    ['remove: { named: cookie }'],
    ['remove: { matching: "^x-internal-" }'],
  ])('may be %s', (rule) => {
    expect(faultsOf(`headers: { all: { request: { operations: [ { ${rule} } ] } } }`)).toEqual([]);
  });

  it.each([
    ['propagate: {}', 'takes either named or matching'],
    ['propagate: { matching: "^x-", rename: y }', 'takes rename and default only with named'],
    ['propagate: { matching: "(" }', 'holds a text of another form; it takes a regular expression'],
    ['propagate: { named: "two words" }', 'it takes the name of a header field'],
    ['insert: { name: x }', 'takes exactly one of value, from_context and path'],
    [
      'insert: { name: x, value: y, from_context: "meridian::subject" }',
      'takes exactly one of value, from_context and path',
    ],
    ['insert: { name: x, value: y, default: z }', 'takes default only with path'],
    ['insert: { name: x, from_context: "meridian::key" }', 'apollo::supergraph::operation_name, '],
    ['propagate: { matching: "(?x) a" }', 'holds a text of another form; it takes a regular expression'],
    ['insert: { name: x, path: "$.*" }', 'it takes a path of names, indexes and * from query, '],
    ['insert: { name: x, path: "$..id" }', 'it takes a path of names, indexes and * from query, '],
    ['insert: { name: x, path: "$.headers" }', 'it takes a path of names, indexes and * from query, '],
    ['remove: { named: x, matching: y }', 'takes either named or matching'],
    [
      'remove: { named: x }, insert: { name: x, value: y }',
      'takes exactly one of propagate, insert and remove',
    ],
  ])('cannot be %s', (rule, fault) => {
    expect(faultsOf(`headers: { all: { request: { operations: [ { ${rule} } ] } } }`)).toEqual([
      expect.stringContaining(fault),
    ]);
  });
});
