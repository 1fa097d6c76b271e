import { runInThisContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';

describe('A suite', () => {
  it('runs in the realm of Node, as its subject does in production', () => {
    expect(structuredClone(new Map())).toBeInstanceOf(Map);
    expect(runInThisContext('globalThis')).toBe(globalThis);
  });
});
