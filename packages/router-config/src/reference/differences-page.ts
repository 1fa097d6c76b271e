import type { RouterOnlyKey } from '../router-only-keys.ts';
import { routerOnlyKeys } from '../router-only-keys.ts';
import type { Difference } from './differences.ts';
import { behavioursThatDiffer, changeAsText, defaultsThatDiffer } from './differences.ts';

const introduction = `# Differences from Apollo Router

<!-- Written by \`pnpm router-config reference\` from the tables that \`pnpm router-config check\` reads; edit those. -->

The gateway reads a \`router.yaml\` of Apollo Router 2.16. Here is where it does otherwise with the same file.

\`\`\`sh
pnpm router-config check my-router.yaml                # in production; --development for NODE_ENV=development
pnpm router-config check my-router.yaml --json         # the same for programs
\`\`\`

The check runs the checks that the gateway itself runs at its start, and ends with 0 where the gateway starts with the file. It reads variables from its environment; of those that are not set, it
says so and checks the rest. It lists the differences below as far as they hold for the file.`;

const json = `## The check as JSON

| member | |
|---|---|
| \`file\` | the name of the file, as it was given |
| \`mode\` | \`production\` or \`development\` |
| \`starts\` | whether the gateway starts with the file, once \`needs\` are met |
| \`needs\` | the variables without a value, such as \`env.JWKS_URL\`, and the manifests that are not there |
| \`keys[]\` | \`path\`, \`line\`, \`verdict\` (\`honoured\`, \`free\`, \`without effect\`, \`not supported\`, \`unknown\`) and \`remark\` of each key |
| \`faults[]\` | what stops the start, beside keys that are not supported or unknown: a sentence each |
| \`notes[]\` | what works, but not as its author may expect: a sentence each |
| \`differences[]\` | \`about\`, \`inRouter\` and \`here\` of each difference that holds, and \`change\`: what to write for Apollo Router's behaviour, where there is such a key |

Members are only ever added.`;

/** The page on what is otherwise than in Apollo Router, in Markdown. */
export function differencesPage(): string {
  const parts = [
    introduction,
    `## Defaults\n\n${table(defaultsThatDiffer)}`,
    `## Behaviour\n\n${table(behavioursThatDiffer)}`,
    `## Accepted without effect\n\n${keyTable('why', (key) => ('passedOver' in key ? key.passedOver : undefined))}`,
    `## Not supported

A file that has one of these does not start the gateway, unless it asks for what is done anyway, such as with \`enabled: false\`.

${keyTable('instead', (key) => ('instead' in key ? key.instead : undefined))}`,
    json,
  ];
  return `${parts.join('\n\n')}\n`;
}

function table(differences: readonly Difference[]): string {
  const rows = differences.map(
    ({ about, inRouter, here, change }) =>
      `| ${asKey(about)} | ${inRouter} | ${here} | ${change === undefined ? '' : `\`${changeAsText(change)}\``} |`,
  );
  return ["| | Apollo Router | here | for Router's |", '|---|---|---|---|', ...rows].join('\n');
}

/** The path of a key as code; what is none as it is. */
function asKey(about: string): string {
  return /^[a-z_.[\]]+$/.test(about) ? `\`${about}\`` : about;
}

function keyTable(heading: string, sentenceOn: (key: RouterOnlyKey) => string | undefined): string {
  const rows = [...routerOnlyKeys].flatMap(([path, key]) => {
    const sentence = sentenceOn(key);
    return sentence === undefined ? [] : [`| \`${path}\` | ${sentence} |`];
  });
  return [`| key of Apollo Router | ${heading} |`, '|---|---|', ...rows].join('\n');
}
