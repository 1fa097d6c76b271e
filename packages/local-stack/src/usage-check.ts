// `pnpm usage:check`: whether removed fields may go, by what the gateway of the `pnpm start` that runs has recorded.
import { runWithGatewayDatabase } from './run-with-gateway-database.ts';

await runWithGatewayDatabase('apps/gateway/src/commands/usage-check.ts');
