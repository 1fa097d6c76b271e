import { describe, expect, it } from '@jest/globals';
import { hopByHopHeaders } from '@meridian/executor';
import { gatewayOnlyHeaders } from '@meridian/router-config';

describe('forwardedHeaders', () => {
  it('lets no rule set a field that the HTTP client to the subgraphs refuses', () => {
    const settable = [...hopByHopHeaders].filter((name) => !gatewayOnlyHeaders.has(name));
    expect(hopByHopHeaders.size).toBeGreaterThan(0);
    expect(settable).toEqual([]);
  });
});
