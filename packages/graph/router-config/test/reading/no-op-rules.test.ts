import { describe, expect, it } from '@jest/globals';

import { check, read } from '../read.fixture.ts';

/** The notes on rules for all subgraphs, and then for one. */
function notesOn(all: readonly string[], products: readonly string[] = []): readonly string[] {
  const location = (rules: readonly string[]): string =>
    `{ request: { operations: [ ${rules.map((rule) => `{ ${rule} }`).join(', ')} ] } }`;
  const text = `headers: { all: ${location(all)}, subgraphs: { products: ${location(products)} } }`;
  const { notes } = read(text);
  expect(check(text).notes).toEqual(notes);
  return notes;
}

describe('The note on a header rule without effect', () => {
  it.each([
    'insert: { name: Content-Type, value: text/plain }',
    'propagate: { named: transfer-encoding }',
    'propagate: { named: x-length, rename: Content-Length }',
  ])('is on a rule about a field that the gateway sets itself: %s', (rule) => {
    expect(notesOn(['propagate: { named: x }', rule])).toEqual([
      expect.stringMatching(
        /^headers\.all\.request\.operations\[1\] has no effect: [a-z-]+ is set by the gateway alone$/,
      ),
    ]);
  });

  it('is on a rule that inserts an object', () => {
    expect(notesOn([], ['insert: { name: x, from_context: "apollo::authentication::jwt_claims" }'])).toEqual([
      expect.stringMatching(
        /^headers\.subgraphs\.products\.request\.operations\[0\] has no effect: the claims are an object,/,
      ),
    ]);
  });

  it('is on a rule that inserts what nothing puts into the context', () => {
    expect(notesOn(['insert: { name: x, from_context: "my-team::user" }'])).toEqual([
      expect.stringMatching(/has no effect: neither a coprocessor nor a hook sets a value/),
    ]);
    expect(notesOn(['insert: { name: x, from_context: operation_name }'])).toEqual([]);
  });

  it.each([
    ['no rule adds', [], ['remove: { named: cookie }']],
    ['only a later rule adds', [], ['remove: { named: x }', 'insert: { name: x, value: "1" }']],
    ['no expression matches', ['propagate: { matching: "^x-" }'], ['remove: { named: cookie }']],
    ['no expression may touch', ['insert: { name: Host, value: a }'], ['remove: { matching: .* }']],
  ])('is on a rule that removes what %s', (_what, all, products) => {
    expect(notesOn(all, products)).toEqual([
      expect.stringMatching(/^headers\.subgraphs\.products\.request\.operations\[0\] has no effect: no rule/),
    ]);
  });

  it.each([
    ['of the same name', 'propagate: { named: X-Id }', 'remove: { named: x-id }'],
    ['under another name', 'propagate: { named: a, rename: X-Id }', 'remove: { matching: ^x- }'],
    ['by a match', 'propagate: { matching: ^x- }', 'remove: { named: X-Id }'],
    ['by a match, perhaps', 'propagate: { matching: ^x- }', 'remove: { matching: id$ }'],
    ['inserted', 'insert: { name: Host, value: a }', 'remove: { named: host }'],
  ])('is not on a rule that removes what an earlier rule adds: %s', (_what, adding, removing) => {
    expect(notesOn([adding], [removing])).toEqual([]);
    expect(notesOn([adding, removing])).toEqual([]);
  });

  it('is not on a rule that says that a subgraph gets no token', () => {
    expect(notesOn([], ['remove: { named: Authorization }'])).toEqual([]);
  });
});
