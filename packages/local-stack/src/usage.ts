// `pnpm usage`: who uses which fields, as the gateway of the `pnpm start` that runs has recorded it.
import { runWithGatewayDatabase } from './run-with-gateway-database.ts';

await runWithGatewayDatabase('apps/gateway/src/commands/usage.ts');
