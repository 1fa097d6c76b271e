import { describe, expect, it } from '@jest/globals';

import { demoTenants } from '../../../src/soak/load/tenant.ts';
import { createTenantIsolation } from '../../../src/soak/load/tenant-isolation.ts';

const [acme, globex] = demoTenants();
const ownId = acme?.products[0]?.id ?? '';
const otherId = globex?.orders[0]?.id ?? '';

describe('The tenant isolation of a soak', () => {
  it("accepts a tenant's own data, and names another tenant's", () => {
    const isolation = createTenantIsolation(demoTenants());
    expect(isolation.breach('acme', `{"id":"${ownId}"}`, '')).toBeUndefined();
    expect(isolation.breach('acme', `{"id":"${ownId}","order":"${otherId}"}`, '')).toBe(
      `acme was shown ${otherId}, which is of globex`,
    );
  });

  it('accepts a response that repeats the request', () => {
    const isolation = createTenantIsolation(demoTenants());
    expect(isolation.breach('acme', `There is no order ${otherId}`, `/orders/${otherId}`)).toBeUndefined();
  });

  it('assigns a new identifier to the first tenant that receives it', () => {
    const isolation = createTenantIsolation(demoTenants());
    const placed = '0199a1b2-0000-7000-8000-000000000001';
    expect(isolation.breach('globex', placed, '')).toBeUndefined();
    expect(isolation.breach('acme', placed, '')).toBe(`acme was shown ${placed}, which is of globex`);
  });
});
