// `pnpm explain <trace id>`: what happened to a recent request, from the gateway's admin listener.
import process from 'node:process';

import { runCommand } from '@meridian/settings/command-line';
import { printExplanation, usualAdminUrl } from '@meridian/gateway/commands/print-explanation';
import { describeFailure } from '@meridian/local-stack/describe-failure';
import { explainHelp, readExplainOptions } from '@meridian/local-stack/explain-options';
import { findStack, readExplainSecret } from '@meridian/local-stack/explained-gateway';

await runCommand({
  name: 'pnpm explain',
  help: explainHelp,
  read: readExplainOptions,
  run: async ({ id, adminUrl, json, dataRoot }) =>
    await printExplanation({
      id,
      adminUrl: adminUrl ?? findStack(dataRoot)?.gatewayAdminUrl ?? usualAdminUrl,
      secret: process.env['EXPLAIN_SECRET'] ?? (await readExplainSecret(dataRoot)),
      json,
    }),
  lineFor: describeFailure,
});
