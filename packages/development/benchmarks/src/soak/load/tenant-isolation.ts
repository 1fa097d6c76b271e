import type { Tenant } from './tenant.ts';

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu;

/** Knows the tenant of each identifier; tenants share none. */
export class TenantIsolation {
  readonly #owners: Map<string, string>;

  constructor(tenants: readonly Tenant[]) {
    this.#owners = new Map(
      tenants.flatMap(({ id, identifiers }) => identifiers.map((identifier) => [identifier, id] as const)),
    );
  }

  /**
   * Finds another tenant's identifiers in the text of a response; undefined without any. A new identifier
   * belongs to the tenant that received it first.
   *
   * @param requestText the text of the request itself, which the response may repeat
   */
  breach(tenantId: string, response: string, requestText: string): string | undefined {
    for (const [identifier] of response.matchAll(uuid)) {
      const owner = this.#owners.get(identifier);
      if (owner === undefined) {
        this.#owners.set(identifier, tenantId);
      } else if (owner !== tenantId && !requestText.includes(identifier)) {
        return `${tenantId} was shown ${identifier}, which is of ${owner}`;
      }
    }
    return undefined;
  }
}
