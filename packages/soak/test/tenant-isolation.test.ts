import { describe, expect, it } from '@jest/globals';

import { demoTenants } from '../src/load/tenant.ts';
import { createTenantIsolation } from '../src/load/tenant-isolation.ts';

const [acme, globex] = demoTenants();
const ownId = acme?.products[0]?.id ?? '';
const otherId = globex?.orders[0]?.id ?? '';

describe('the wall between the tenants of a soak', () => {
  it("lets a tenant's own data pass, and names what is another's", () => {
    const isolation = createTenantIsolation(demoTenants());
    expect(isolation.breach('acme', `{"id":"${ownId}"}`, '')).toBeUndefined();
    expect(isolation.breach('acme', `{"id":"${ownId}","order":"${otherId}"}`, '')).toBe(
      `acme was shown ${otherId}, which is of globex`,
    );
  });

  it('lets an answer repeat what was asked for', () => {
    const isolation = createTenantIsolation(demoTenants());
    expect(isolation.breach('acme', `There is no order ${otherId}`, `/orders/${otherId}`)).toBeUndefined();
  });

  it('takes what is new for that of whoever got it first', () => {
    const isolation = createTenantIsolation(demoTenants());
    const placed = '0199a1b2-0000-7000-8000-000000000001';
    expect(isolation.breach('globex', placed, '')).toBeUndefined();
    expect(isolation.breach('acme', placed, '')).toBe(`acme was shown ${placed}, which is of globex`);
  });
});
