import { describe, expect, it } from '@jest/globals';

import { configOf, faultsOf } from '../read.fixture.ts';

describe('include_subgraph_errors', () => {
  it('may say which parts of errors are shown, in place of true and false', () => {
    const text = `include_subgraph_errors:
      all: { redact_message: true, allow_extensions_keys: [code] }
      subgraphs: { reviews: { redact_message: false, deny_extensions_keys: [stacktrace] }, users: true }`;
    expect(configOf(text).include_subgraph_errors).toMatchObject({
      all: { redact_message: true, allow_extensions_keys: ['code'] },
      subgraphs: new Map<string, unknown>([
        ['reviews', expect.objectContaining({ redact_message: false, deny_extensions_keys: ['stacktrace'] })],
        ['users', true],
      ]),
    });
  });

  it.each([
    [
      '{ all: { redact_message: true, allow_extensions_keys: [a], deny_extensions_keys: [b] } }',
      'include_subgraph_errors.all: takes either allow_extensions_keys or deny_extensions_keys',
    ],
    ['{ all: { allow_extensions_keys: [a] } }', 'include_subgraph_errors.all.redact_message: is required'],
    [
      '{ all: true, subgraphs: { a: { redact_message: true } } }',
      'include_subgraph_errors: takes only true or false under subgraphs while all is true or false',
    ],
    [
      '{ all: { redact_message: true, allow_extension_keys: [a] } }',
      'include_subgraph_errors.all.allow_extension_keys: is unknown; the nearest known key is include_subgraph_errors.all.allow_extensions_keys',
    ],
  ])('may not be %s, as in Apollo Router', (setting, fault) => {
    expect(faultsOf(`include_subgraph_errors: ${setting}`)).toContain(fault);
  });
});
