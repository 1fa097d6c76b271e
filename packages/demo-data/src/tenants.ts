/** The tenants that the demo data belongs to. They share no identifier. */
export const demoTenantIds = ['acme', 'globex'] as const;
