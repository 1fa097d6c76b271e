import { readFile } from 'node:fs/promises';
import process from 'node:process';

import { paste } from './paste.ts';

const page = new URL('../../../../../docs/http-api.md', import.meta.url);

export interface RunningApis {
  readonly accounts: string;
  readonly orders: string;
  readonly graph: string;
  readonly token: string;
}

/**
 * Runs the commands of `docs/http-api.md` in their order and in one shell, then its client, against the services of a
 * stack.
 */
export async function runHttpApiPage({ accounts, orders, graph, token }: RunningApis) {
  const markdown = await readFile(page, 'utf8');
  const [setUp = '', ...commands] = blocksIn(markdown, 'sh');
  const [client = ''] = blocksIn(markdown, 'js');
  return {
    /** The commands before the first example. */
    setUp,
    commands: await paste(
      `
      set +e
      folder=$(mktemp -d) && cd "$folder" && trap 'rm -r "$folder"' EXIT
      ACCOUNTS='${accounts}' ORDERS='${orders}' TOKEN='${token}'
      ${commands.join('\n').replaceAll('http://127.0.0.1:4000/graphql', graph)}
      `,
    ),
    client: await paste(
      `ACCOUNTS='${accounts}' TOKEN='${token}' '${process.execPath}' --input-type=module - <<'END'\n${client}\nEND\n`,
    ),
  };
}

function blocksIn(markdown: string, language: string): string[] {
  return Array.from(
    markdown.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gmsu')),
    ([, block = '']) => block,
  );
}
