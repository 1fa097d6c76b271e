import { describe, expect, it } from '@jest/globals';

import { federationVersion } from '../src/federation-version.ts';
import { installedPackage } from '../src/rover/installed-package.ts';

describe('federationVersion', () => {
  it('is the version of the installed @apollo/composition', () => {
    expect(federationVersion).toBe(installedPackage('@apollo/composition').version);
  });
});
