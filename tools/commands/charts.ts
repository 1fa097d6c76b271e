// `pnpm charts`: renders the Helm charts of deploy/helm into the golden files that tests read.
import { readArgs, runCommand } from '@meridian/settings/command-line';

import { extractSchemas } from '../charts/extract-schemas.ts';
import { renderCharts } from '../charts/render-charts.ts';

const help = `Usage: pnpm charts [flags]

Lints the charts of deploy/helm and renders them with the real helm into deploy/helm/golden.
helm is taken from the PATH, or built where there is Go.

  --check            write nothing; fail when a golden file is not what helm renders. Without
                     helm and Go, fail when a chart has changed since it was rendered
  --update-schemas   extract the schemas of Kubernetes that tests validate against; takes Go
  --help             print this

Exit code: 0 when all is rendered and current, 1 when not, 2 for a wrong call.`;

const options = {
  check: { type: 'boolean', default: false },
  'update-schemas': { type: 'boolean', default: false },
} as const;

await runCommand({
  name: 'pnpm charts',
  help,
  read: (args) => readArgs(args, options).flags,
  run: ({ check, 'update-schemas': updateSchemas }) =>
    updateSchemas ? extractSchemas() : renderCharts({ check }),
});
