import { routerOnlyKeys } from '../keys/router-only-keys.ts';
import type { Difference } from '../checking/differences.ts';
import { behavioursThatDiffer, changeAsText, defaultsThatDiffer } from '../checking/differences.ts';
import type { JsonSchema } from '../declaration/json-schema.ts';
import { routerFile } from '../sections/router-file.ts';
import { referencePage } from './reference-page.ts';

const introduction = `# Differences from Apollo Router

<!-- Written by \`pnpm router-config reference\` from the tables that \`pnpm router-config check\` reads; edit those. -->

The gateway reads a \`router.yaml\` of Apollo Router 2.16. This page lists every difference with the same file. To
move a running graph, follow [migrate-from-apollo-router.md](migrate-from-apollo-router.md).

\`\`\`sh
npx meridian-gateway check my-router.yaml                # for production; --development for NODE_ENV=development
npx meridian-gateway check my-router.yaml --json         # the same for programs
\`\`\`

The command runs the checks of the gateway's start, and lists the differences that apply to your file. It exits with 0 if
the gateway starts with the file. It reads variables from its environment; it names those that are not set, and checks
the rest.`;

const json = `## The check as JSON

| member | |
|---|---|
| \`file\` | the name of the file, as it was given |
| \`mode\` | \`production\` or \`development\` |
| \`starts\` | true if the gateway starts with the file once \`needs\` are met |
| \`needs\` | variables without a value, such as \`env.JWKS_URL\`, and missing manifests |
| \`keys[]\` | \`path\`, \`line\`, \`verdict\` (\`honoured\`, \`free\`, \`without effect\`, \`ignored\`, \`invalid\`, \`not supported\`, \`unknown\`) and \`remark\` of each key |
| \`faults[]\` | other reasons why the gateway does not start: a sentence each |
| \`notes[]\` | settings that may surprise their author: a sentence each |
| \`differences[]\` | \`about\`, \`inRouter\` and \`here\` of each difference that applies, and \`change\`: the setting for Apollo Router's behaviour, if there is one |

New versions may add members; they remove none.`;

/** The page of differences from Apollo Router, in Markdown. */
function differencesPage(): string {
  const parts = [
    introduction,
    `## Defaults\n\n${table(defaultsThatDiffer)}`,
    `## Behaviour\n\n${table(behavioursThatDiffer)}`,
    `## Accepted without effect\n\nNo client notices these. The start logs one line with all that are set.\n\n${keyTable('why', 'noEffect')}`,
    `## Not supported

The gateway does not start with a file that sets one of these, unless the value turns the feature off
(\`enabled: false\`) or matches the gateway's behaviour. For a trial with your own file, \`--ignore-unsupported\` or
\`meridian.unsupported_keys: warn\` ignores them, except keys that limit callers or protect what is sent: keys of
\`authentication\`, \`authorization\`, \`cors\`, \`limits\`, \`tls\` and others. \`plugins\` and \`rhai\` may do the
same, and are ignored in development only.

${keyTable('instead', 'instead')}`,
    json,
  ];
  return `${parts.join('\n\n')}\n`;
}

function table(differences: readonly Difference[]): string {
  const rows = differences.map(
    ({ about, inRouter, here, change }) =>
      `| ${asKey(about)} | ${inRouter} | ${here} | ${change === undefined ? '' : `\`${changeAsText(change)}\``} |`,
  );
  return ["| | Apollo Router | here | for Router's behaviour |", '|---|---|---|---|', ...rows].join('\n');
}

/** The path of a key as code; other subjects unchanged. */
function asKey(about: string): string {
  return /^[a-z_.[\]]+$/.test(about) ? `\`${about}\`` : about;
}

function keyTable(heading: string, reason: 'instead' | 'noEffect'): string {
  const rows = routerOnlyKeys.flatMap(({ keys, [reason]: sentence }) =>
    sentence === undefined ? [] : keys.map((path) => `| \`${path}\` | ${sentence} |`),
  );
  return [`| key of Apollo Router | ${heading} |`, '|---|---|', ...rows.toSorted()].join('\n');
}

const { limits, ...sections } = routerFile.schema.properties ?? {};
const { subgraph: _ofSubgraphs, ...limitsOfRequests } = limits?.properties ?? {};

/** The JSON Schema of `router.yaml`, for editors. It has the keys that the reader takes, in their current places. */
const configJsonSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: "The configuration of Meridian's gateway: router.yaml",
  ...routerFile.schema,
  properties: {
    ...sections,
    // Limits on requests may be in either place.
    limits: {
      ...limits,
      properties: {
        ...limits?.properties,
        router: { type: 'object', properties: limitsOfRequests, additionalProperties: false },
      },
    },
  },
};

/** The files that are made from the declarations of keys, by their paths in the repository. */
export const generatedFiles: Readonly<Record<string, () => string>> = {
  'docs/router-yaml.md': referencePage,
  'docs/differences-from-apollo-router.md': differencesPage,
  'packages/graph/router-config/router-config.schema.json': () => JSON.stringify(configJsonSchema, null, 2),
};
