import type { Tenant } from './tenant.ts';

/** Knows the tenant of each identifier; tenants share none. */
export interface TenantIsolation {
  /**
   * Finds another tenant's identifiers in the text of a response; undefined without any. A new identifier
   * belongs to the tenant that received it first.
   *
   * @param requestText the text of the request itself, which the response may repeat
   */
  breach(tenantId: string, response: string, requestText: string): string | undefined;
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu;

export function createTenantIsolation(tenants: readonly Tenant[]): TenantIsolation {
  const owners = new Map<string, string>();
  for (const tenant of tenants) {
    for (const identifier of tenant.identifiers()) {
      owners.set(identifier, tenant.id);
    }
  }
  return {
    breach(tenantId, response, requestText) {
      for (const [identifier] of response.matchAll(uuid)) {
        const owner = owners.get(identifier);
        if (owner === undefined) {
          owners.set(identifier, tenantId);
        } else if (owner !== tenantId && !requestText.includes(identifier)) {
          return `${tenantId} was shown ${identifier}, which is of ${owner}`;
        }
      }
      return undefined;
    },
  };
}
