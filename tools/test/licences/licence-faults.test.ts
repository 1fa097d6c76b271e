import { describe, expect, it } from '@jest/globals';
import { licenceFaults, parseLicenceList } from '../../licences/check-licences.ts';

describe('licenceFaults', () => {
  it.each(['MIT', 'Apache-2.0 AND MIT', '(MIT OR CC0-1.0)', '(MIT AND BSD-3-Clause)'])(
    'accepts %s',
    (licence) => {
      expect(licenceFaults([{ name: 'left-pad', licence }], '')).toEqual([]);
    },
  );

  it.each(['Elastic-2.0', 'GPL-3.0', 'MIT AND GPL-3.0', 'Unknown', 'Apache-2.0 WITH LLVM-exception', ''])(
    'refuses %j',
    (licence) => {
      expect(licenceFaults([{ name: 'left-pad', licence }], '')).toEqual([
        `left-pad is under ${licence}: not permissive, and docs/licences.md does not name it`,
      ]);
    },
  );

  it('accepts a package that docs/licences.md names', () => {
    expect(
      licenceFaults([{ name: '@apollo/gateway', licence: 'Elastic-2.0' }], 'As is `@apollo/gateway`.'),
    ).toEqual([]);
  });
});

describe('parseLicenceList', () => {
  it('reads licence → packages', () => {
    expect(parseLicenceList('{"MIT":[{"name":"a"},{"name":"b"}],"ISC":[{"name":"c"}]}')).toEqual([
      { name: 'a', licence: 'MIT' },
      { name: 'b', licence: 'MIT' },
      { name: 'c', licence: 'ISC' },
    ]);
  });

  it.each(['{}', '[]', 'null', '{"MIT":[]}'])('refuses %s, which lists nothing', (json) => {
    expect(() => parseLicenceList(json)).toThrow('Cannot parse the list of licences: it has no packages');
  });

  it('refuses a package without a name', () => {
    expect(() => parseLicenceList('{"MIT":[{"version":"1"}]}')).toThrow('a package has no name');
  });
});
