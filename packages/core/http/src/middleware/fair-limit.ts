/** A limit that tenants share. */
export interface FairLimit {
  /** True when even a tenant that has nothing would be refused. */
  isExhausted(): boolean;
  /** True when `take` would succeed. */
  hasRoom(tenantId: string, amount: number): boolean;
  /** Takes an amount for a tenant. False, and nothing is taken, when there is no room for it. */
  take(tenantId: string, amount: number): boolean;
  /** Gives back an amount that was taken. */
  release(tenantId: string, amount: number): void;
  /** Sets another maximum. What is taken stays taken. */
  resize(max: number): void;
}

/**
 * Creates a limit on what all tenants have at the same time. Once it is used up, a tenant is refused only if it has its
 * equal share already, so that no tenant keeps the others out. All tenants together never have more than twice the
 * maximum.
 *
 * @param maxOfTenant of one tenant, even when no other tenant has anything. Default: the maximum
 */
export function createFairLimit(initialMax: number, maxOfTenant = Number.POSITIVE_INFINITY): FairLimit {
  let max = initialMax;
  const amounts = new Map<string, number>();
  let total = 0;

  const hasRoom = (tenantId: string, amount: number): boolean => {
    const own = amounts.get(tenantId) ?? 0;
    if (total + amount <= max) {
      return own + amount <= maxOfTenant;
    }
    const tenants = amounts.size + (own === 0 ? 1 : 0);
    return total + amount <= 2 * max && own < Math.min(max / tenants, maxOfTenant);
  };
  return {
    isExhausted: () => total >= 2 * max,
    hasRoom,
    take(tenantId, amount) {
      if (!hasRoom(tenantId, amount)) {
        return false;
      }
      total += amount;
      amounts.set(tenantId, (amounts.get(tenantId) ?? 0) + amount);
      return true;
    },
    release(tenantId, amount) {
      total -= amount;
      const left = (amounts.get(tenantId) ?? 0) - amount;
      if (left > 0) {
        amounts.set(tenantId, left);
      } else {
        amounts.delete(tenantId);
      }
    },
    resize(next) {
      max = next;
    },
  };
}
