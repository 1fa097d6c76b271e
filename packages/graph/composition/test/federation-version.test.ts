import { describe, expect, it } from '@jest/globals';

import { federationVersion } from '../src/sources/parse-sources.ts';
import { installedPackage } from '../src/rover/binary.ts';

describe('federationVersion', () => {
  it('is the version of the installed @apollo/composition', () => {
    expect(federationVersion).toBe(installedPackage('@apollo/composition').version);
  });
});
