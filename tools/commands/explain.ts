// `pnpm explain <trace id>`: what happened to a recent request, from the gateway's admin listener.
import { runCommand } from '@meridian/command-line';
import { describeFailure } from '@meridian/local-stack/describe-failure';
import { explainHelp, readExplainOptions } from '@meridian/local-stack/explain-options';
import { explainRequest } from '@meridian/local-stack/explain-request';

await runCommand({
  name: 'pnpm explain',
  help: explainHelp,
  read: readExplainOptions,
  run: explainRequest,
  lineFor: describeFailure,
});
