// `pnpm check`: what a changed graph does to the clients that use it.
import { readArgs, runCommand } from '@meridian/command-line';
import { systemError } from '@meridian/composition/commands/system-error';
import { check, formats } from '@meridian/schema-check/commands/check';
import { UsageError } from '@meridian/command-line';

const help = `Usage: pnpm check [flags]

Compares the graph of the working tree with the graph of a git ref: every change, who owns it, which operations of
which clients it breaks. docs/schema-checks.md has the rules.

  --base <ref>               what the change is compared with: its last common commit with this ref (origin/main)
  --base-supergraph <file>   two supergraphs instead of a repository's versions
  --head-supergraph <file>
  --usage <file>             recorded usage, as pnpm usage --export writes it
  --format <format>          text or json (text)
  --help                     print this

Exit code: 0 when the change may be merged, 1 when it must not, 2 for a wrong call, 3 when nothing says whether
clients would break.`;

await runCommand({
  name: 'pnpm check',
  help,
  read(args) {
    const { flags } = readArgs(args, {
      base: { type: 'string', default: 'origin/main' },
      'base-supergraph': { type: 'string' },
      'head-supergraph': { type: 'string' },
      usage: { type: 'string' },
      format: { type: 'string', default: 'text' },
    });
    const format = formats.find((one) => one === flags.format);
    if (format === undefined) {
      throw new UsageError(`--format is ${JSON.stringify(flags.format)}; it takes ${formats.join(', ')}`);
    }
    return {
      base: flags.base,
      baseSupergraph: flags['base-supergraph'],
      headSupergraph: flags['head-supergraph'],
      usage: flags.usage,
      format,
    };
  },
  run: check,
  lineFor: systemError,
});
