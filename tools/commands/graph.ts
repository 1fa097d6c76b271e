// `pnpm graph`: answers questions about the graph, or shows it as a page.
import process from 'node:process';

// npm users write `pnpm run graph -- who Product`; pnpm passes the dashes on.
const args = process.argv.slice(process.argv[2] === '--' ? 3 : 2);
const [word = '', ...rest] = args;

/** The modules of the subcommands, each loaded only when it is called. */
const subcommands: Readonly<
  Record<string, () => Promise<{ run: (args: readonly string[]) => Promise<void> }>>
> = {
  who: () => import('../graph/who.ts'),
  plan: () => import('../graph/plan.ts'),
  usage: () => import('../graph/usage.ts'),
  deprecated: () => import('../graph/deprecated.ts'),
  history: () => import('../graph/history.ts'),
};

/** The name of the script that pnpm runs: until the next release, each subcommand is a command too. */
const script = process.env['npm_lifecycle_event'];
if (script === word && script in subcommands) {
  process.stderr.write(
    `pnpm ${script} is pnpm graph ${script} now; the old name goes with the next release\n`,
  );
}
const subcommand = subcommands[word];
const { run } = await (subcommand ?? (() => import('../graph/page.ts')))();
await run(subcommand === undefined ? args : rest);
