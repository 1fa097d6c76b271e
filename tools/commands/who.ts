// `pnpm who`: the owners and the users of a field.
import { readArgs, runCommand } from '@meridian/command-line';
import { systemError } from '@meridian/composition/commands/system-error';
import { ManifestError } from '@meridian/manifest';
import type { WhoOptions } from '@meridian/schema-check/commands/who';
import { who } from '@meridian/schema-check/commands/who';

const help = `Usage: pnpm who <coordinate> [flags]

Prints who owns an element of the schema, with its file and line, and who uses it: operations and clients, with their
versions and last use where usage is recorded.

  <coordinate>     Product, Product.stock, Query.orders(first:), OrderStatus.SHIPPED
  --usage <file>   recorded usage, as pnpm usage --export writes it
  --json           print JSON
  --help           print this
`;

await runCommand({
  name: 'pnpm who',
  help,
  read: readOptions,
  run: (options) => Promise.resolve(who(options)),
  lineFor: (error) => (error instanceof ManifestError ? error.message : systemError(error)),
});

function readOptions(args: readonly string[]): WhoOptions {
  const { flags, others } = readArgs(
    args,
    { usage: { type: 'string' }, json: { type: 'boolean', default: false } },
    ['<coordinate>'],
  );
  return { coordinate: others[0] ?? '', usage: flags.usage, format: flags.json ? 'json' : 'text' };
}
