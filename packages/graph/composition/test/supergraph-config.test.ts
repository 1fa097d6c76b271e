import { describe, expect, it } from '@jest/globals';

import { parseSupergraphConfig, readSupergraphConfig } from '../src/supergraph-config.ts';

describe('A supergraph.yaml', () => {
  it('that is missing is named', () => {
    expect(() => readSupergraphConfig('nowhere.yaml')).toThrow(
      /^Cannot read nowhere\.yaml: ENOENT: no such file/,
    );
  });

  it.each([
    [
      'has a subgraph without a schema',
      'federation_version: =2.14.4\nsubgraphs:\n  a: {}\n',
      'subgraph "a" has no schema',
    ],
    [
      'leaves the version open',
      'federation_version: 2\nsubgraphs:\n  a:\n    schema:\n      file: a.graphql\n',
      'federation_version is 2, and takes an exact version such as "=2.14.4"',
    ],
  ])('is refused when it %s', (_what, yaml, message) => {
    expect(() => parseSupergraphConfig('supergraph.yaml', () => yaml)).toThrow(
      `Cannot read supergraph.yaml: ${message}`,
    );
  });
});
